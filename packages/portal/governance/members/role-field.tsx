import { grantsRole, type Role, roleNames, roles, scopesOf } from '@scriptorium/contracts/roles';
import { SelectField } from '../../kit/fields/field.tsx';
import { useSession } from '../../shell/session.tsx';

/** Returns the display name of a role: `Admin` for `admin`. */
export const roleTitle = (role: string): string => role.charAt(0).toUpperCase() + role.slice(1);

/** Selects one of the roles that the session may grant, and shows its permissions. */
export function RoleField(props: { value: Role; onChange: (role: Role) => void }) {
  const { session } = useSession();
  const grantableRoles = roleNames.filter((name) => grantsRole(session.scopes, name));
  return (
    <>
      <SelectField
        label="Role"
        hint={roles[props.value].summary}
        value={props.value}
        onChange={(value) => {
          const role = roleNames.find((name) => name === value);
          if (role) props.onChange(role);
        }}
        options={grantableRoles.map((name) => [name, roleTitle(name)] as const)}
      />
      <p class="soft">
        Scopes: <code>{scopesOf(props.value).join(' ')}</code>
      </p>
    </>
  );
}
