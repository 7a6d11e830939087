import type { Weekday } from '@scriptorium/contracts/rules';
import { CheckField, TextField } from '../../../../kit/fields/field.tsx';
import { weekdayLabels } from '../descriptions.ts';
import { ListField } from '../list-field.tsx';
import { timeUnits, UnitField } from '../number-field.tsx';
import type { RuleForms } from './rule-form.ts';

const weekdays = Object.keys(weekdayLabels) as Weekday[];
const cidrHint =
  'For example 192.0.2.0/24 or 2001:db8::/32. For a single address, use 192.0.2.7/32.';

/** The forms of rules about who may make requests, when and how. */
export const accessRules: RuleForms<'require_signed_url' | 'ip_allow' | 'ip_deny' | 'time_window'> =
  {
    require_signed_url: {
      hint: 'Allows downloads only with a signed URL.',
      actions: ['download', 'sign'],
      initialRule: { type: 'require_signed_url', max_ttl_seconds: 3_600 },
      Fields: ({ rule, onChange, fault }) => {
        const { max_ttl_seconds } = rule;
        return (
          <>
            <CheckField
              label="Limit the lifetime of signed URLs"
              checked={max_ttl_seconds !== undefined}
              onChange={(checked) =>
                onChange({ type: rule.type, ...(checked ? { max_ttl_seconds: 3_600 } : {}) })
              }
            />
            {max_ttl_seconds !== undefined && (
              <UnitField
                label="Maximum lifetime"
                hint="From 1 minute to 7 days."
                units={timeUnits}
                value={max_ttl_seconds}
                fault={fault('max_ttl_seconds')}
                onChange={(max_ttl_seconds) => onChange({ ...rule, max_ttl_seconds })}
              />
            )}
          </>
        );
      },
    },
    ip_allow: {
      hint: 'Allows requests only from these addresses.',
      actions: ['upload', 'read', 'download', 'sign', 'process', 'delete'],
      initialRule: { type: 'ip_allow', cidrs: [] },
      Fields: ({ rule, onChange, fault }) => (
        <ListField
          label="Allowed ranges"
          hint={cidrHint}
          fault={fault('cidrs')}
          values={rule.cidrs}
          onChange={(cidrs) => onChange({ ...rule, cidrs })}
        />
      ),
    },
    ip_deny: {
      hint: 'Denies requests from these addresses.',
      actions: ['upload', 'read', 'download', 'sign', 'process', 'delete'],
      initialRule: { type: 'ip_deny', cidrs: [] },
      Fields: ({ rule, onChange, fault }) => (
        <ListField
          label="Denied ranges"
          hint={cidrHint}
          fault={fault('cidrs')}
          values={rule.cidrs}
          onChange={(cidrs) => onChange({ ...rule, cidrs })}
        />
      ),
    },
    time_window: {
      hint: 'Allows requests only at these times.',
      actions: ['upload', 'read', 'download', 'sign', 'process', 'delete'],
      initialRule: {
        type: 'time_window',
        time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        from: '08:00',
        to: '18:00',
      },
      Fields: ({ rule, onChange, fault }) => {
        const { days = weekdays, ...rest } = rule;
        const toggle = (day: Weekday) => {
          const selectedDays = weekdays.filter((one) => days.includes(one) !== (one === day));
          // No days means every day.
          const isEveryDay = selectedDays.length === 0 || selectedDays.length === weekdays.length;
          onChange({ ...rest, ...(isEveryDay ? {} : { days: selectedDays }) });
        };
        return (
          <>
            <div class="policy-pair">
              <TextField
                label="From"
                placeholder="08:00"
                required
                value={rule.from}
                fault={fault('from')}
                onInput={(from) => onChange({ ...rule, from })}
              />
              <TextField
                label="To"
                placeholder="18:00"
                hint="If earlier than From, the window spans midnight."
                required
                value={rule.to}
                fault={fault('to')}
                onInput={(to) => onChange({ ...rule, to })}
              />
            </div>
            <TextField
              label="Time zone"
              hint="An IANA time zone, such as Europe/Lisbon."
              required
              value={rule.time_zone}
              fault={fault('time_zone')}
              onInput={(time_zone) => onChange({ ...rule, time_zone })}
            />
            <fieldset class="policy-choices">
              <legend>Days</legend>
              {weekdays.map((day) => (
                <CheckField
                  key={day}
                  label={weekdayLabels[day]}
                  checked={days.includes(day)}
                  onChange={() => toggle(day)}
                />
              ))}
            </fieldset>
          </>
        );
      },
    },
  };
