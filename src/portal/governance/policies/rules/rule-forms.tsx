import type { ComponentChildren } from 'preact';
import { entityTypes } from '../../../../contracts/documents/entities.ts';
import { documentLabels } from '../../../../contracts/documents/labels.ts';
import type {
  PolicyAction,
  PolicyRule,
  RuleName,
  RuleParameters,
  rules,
  Weekday,
} from '../../../../contracts/rules.ts';
import type { StripFields } from '../../../../contracts/variants.ts';
import { CheckField, SelectField, TextField } from '../../../kit/fields/field.tsx';
import { ListField } from './list-field.tsx';
import { byteUnits, NumberField, timeUnits, UnitField } from './number-field.tsx';
import { actionNames, dayWords, formatPixels, stripWords, typeWords } from './words.ts';

type RuleOf<R extends RuleName> = { type: R } & RuleParameters<R>;

interface FieldsProps<R extends RuleName> {
  rule: RuleOf<R>;
  onChange: (rule: RuleOf<R>) => void;
  /** The error about a parameter. */
  fault: (parameter: string) => string | undefined;
}

interface RuleForm<R extends RuleName> {
  hint: string;
  /** The actions it applies to, exactly as in the registry of rules. */
  actions: (typeof rules)[R]['actions'];
  start: RuleOf<R>;
  Fields: (props: FieldsProps<R>) => ComponentChildren;
}

const commonTypes = [
  'image/*',
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
  'image/svg+xml',
  'text/*',
  'video/*',
  'application/zip',
] as const;
/** The types offered, including executables and scripts. */
export const typeOptions = [
  ...commonTypes,
  '*/*;executable',
  '*/*;scripted',
  'image/svg+xml;scripted',
].map((type) => [type, sentenceCase(typeWords(type))] as const);

export const labelOptions = Object.keys(documentLabels).map(
  (label) => [label, sentenceCase(label.replaceAll('_', ' '))] as const,
);
const entityOptions = Object.keys(entityTypes).map(
  (entity) => [entity, sentenceCase(entity.replaceAll('_', ' ').toLowerCase())] as const,
);
const dayNames = Object.keys(dayWords) as Weekday[];
const typeHint =
  'Detected from the content. You can also enter a type, such as image/heic or audio/*.';
const cidrHint =
  'For example 192.0.2.0/24 or 2001:db8::/32. For a single address, use 192.0.2.7/32.';

/** The form of each type of rule. A missing one does not compile. */
const ruleForms: { [R in RuleName]: RuleForm<R> } = {
  allowed_mime_types: {
    hint: 'Allows or denies file types, detected from the content.',
    actions: ['upload', 'read', 'download', 'sign', 'process'],
    start: { type: 'allowed_mime_types' },
    Fields: ({ rule, onChange, fault }) => {
      const { include, exclude } = rule;
      const build = (lists: { include?: string[] | undefined; exclude?: string[] | undefined }) =>
        onChange({
          type: rule.type,
          ...(lists.include?.length ? { include: lists.include } : {}),
          ...(lists.exclude?.length ? { exclude: lists.exclude } : {}),
        });
      return (
        <>
          <ListField
            label="Allow only these types"
            hint={typeHint}
            fault={fault('include')}
            options={typeOptions}
            values={include ?? []}
            onChange={(values) => build({ include: values, exclude })}
          />
          <ListField
            label="Deny these types"
            fault={fault('exclude')}
            options={typeOptions}
            values={exclude ?? []}
            onChange={(values) => build({ include, exclude: values })}
          />
        </>
      );
    },
  },
  max_bytes: {
    hint: 'Limits the file size.',
    actions: ['upload', 'read', 'download', 'sign', 'process'],
    start: { type: 'max_bytes', bytes: 10_000_000 },
    Fields: ({ rule, onChange, fault }) => (
      <UnitField
        label="Maximum size"
        units={byteUnits}
        value={rule.bytes}
        fault={fault('bytes')}
        onChange={(bytes) => onChange({ ...rule, bytes })}
      />
    ),
  },
  max_pixels: {
    hint: 'Limits the dimensions of images.',
    actions: ['upload', 'read', 'download', 'sign', 'process'],
    start: { type: 'max_pixels', pixels: 24_000_000 },
    Fields: ({ rule, onChange, fault }) => (
      <NumberField
        label="Maximum pixels"
        hint={`Width × height${Number.isNaN(rule.pixels) ? '' : `: ${formatPixels(rule.pixels)}`}`}
        value={rule.pixels}
        fault={fault('pixels')}
        onChange={(pixels) => onChange({ ...rule, pixels })}
      />
    ),
  },
  max_pages: {
    hint: 'Limits the number of pages of documents.',
    actions: ['upload', 'read', 'download', 'sign', 'process'],
    start: { type: 'max_pages', pages: 100 },
    Fields: ({ rule, onChange, fault }) => (
      <NumberField
        label="Maximum pages"
        value={rule.pages}
        fault={fault('pages')}
        onChange={(pages) => onChange({ ...rule, pages })}
      />
    ),
  },
  require_signed_url: {
    hint: 'Allows downloads only with a signed URL.',
    actions: ['download', 'sign'],
    start: { type: 'require_signed_url', max_ttl_seconds: 3_600 },
    Fields: ({ rule, onChange, fault }) => {
      const { max_ttl_seconds: longest } = rule;
      return (
        <>
          <CheckField
            label="Limit the lifetime of signed URLs"
            checked={longest !== undefined}
            onChange={(checked) =>
              onChange({ type: rule.type, ...(checked ? { max_ttl_seconds: 3_600 } : {}) })
            }
          />
          {longest !== undefined && (
            <UnitField
              label="Maximum lifetime"
              hint="From 1 minute to 7 days."
              units={timeUnits}
              value={longest}
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
    start: { type: 'ip_allow', cidrs: [] },
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
    start: { type: 'ip_deny', cidrs: [] },
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
    start: {
      type: 'time_window',
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      from: '08:00',
      to: '18:00',
    },
    Fields: ({ rule, onChange, fault }) => {
      const { days = dayNames, ...rest } = rule;
      const toggle = (day: Weekday) => {
        const chosen = dayNames.filter((one) => days.includes(one) !== (one === day));
        // No days means every day.
        const all = chosen.length === 0 || chosen.length === dayNames.length;
        onChange({ ...rest, ...(all ? {} : { days: chosen }) });
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
            {dayNames.map((day) => (
              <CheckField
                key={day}
                label={dayWords[day]}
                checked={days.includes(day)}
                onChange={() => toggle(day)}
              />
            ))}
          </fieldset>
        </>
      );
    },
  },
  strip_metadata: {
    hint: 'Removes metadata from downloaded images. Originals are kept unchanged.',
    actions: ['download'],
    start: { type: 'strip_metadata', fields: ['gps'] },
    Fields: ({ rule, onChange, fault }) => (
      <fieldset class="policy-choices">
        <legend>Remove</legend>
        {(Object.keys(stripWords) as StripFields[]).map((field) => (
          <CheckField
            key={field}
            label={sentenceCase(stripWords[field])}
            checked={rule.fields.includes(field)}
            onChange={(checked) =>
              onChange({
                ...rule,
                fields: checked
                  ? [...rule.fields, field]
                  : rule.fields.filter((one) => one !== field),
              })
            }
          />
        ))}
        {fault('fields') && <span class="fault">{fault('fields')}</span>}
      </fieldset>
    ),
  },
  require_redaction: {
    hint: 'Allows viewing and downloading only with a verified redaction.',
    actions: ['read', 'download', 'sign'],
    start: { type: 'require_redaction', entities: 'all' },
    Fields: ({ rule, onChange, fault }) => (
      <>
        <SelectField
          label="Personal data to redact"
          value={rule.entities === 'all' ? 'all' : 'some'}
          options={[
            ['all', 'All kinds'],
            ['some', 'Selected kinds'],
          ]}
          onChange={(value) => onChange({ ...rule, entities: value === 'all' ? 'all' : [] })}
        />
        {rule.entities !== 'all' && (
          <ListField
            label="Kinds of personal data"
            fault={fault('entities')}
            options={entityOptions}
            values={rule.entities}
            onChange={(entities) => onChange({ ...rule, entities })}
          />
        )}
        <SelectField
          label="If not redacted"
          value={rule.fallback ?? 'deny'}
          options={[
            ['deny', 'Deny the download'],
            ['serve_redacted', 'Deliver the latest verified redaction'],
          ]}
          onChange={(value) =>
            onChange({ ...rule, fallback: value === 'deny' ? 'deny' : 'serve_redacted' })
          }
        />
      </>
    ),
  },
  deny_labels: {
    hint: 'Denies files classified as one of these labels.',
    actions: ['read', 'download', 'sign', 'process'],
    start: { type: 'deny_labels', labels: [] },
    Fields: ({ rule, onChange, fault }) => (
      <>
        <ListField
          label="Denied labels"
          fault={fault('labels')}
          options={labelOptions}
          values={rule.labels}
          onChange={(labels) => onChange({ ...rule, labels })}
        />
        <CheckField
          label="Also deny unclassified files"
          checked={rule.require_labels ?? true}
          onChange={(require_labels) => onChange({ ...rule, require_labels })}
        />
      </>
    ),
  },
  retention: {
    hint: 'Prevents deletion for a number of days after creation, even if tags or collections change.',
    actions: ['delete'],
    start: { type: 'retention', min_days: 365 },
    Fields: ({ rule, onChange, fault }) => (
      <NumberField
        label="Days"
        value={rule.min_days}
        fault={fault('min_days')}
        onChange={(min_days) => onChange({ ...rule, min_days })}
      />
    ),
  },
  legal_hold: {
    hint: 'Prevents deletion until the hold is released, even if tags or collections change.',
    actions: ['delete'],
    start: { type: 'legal_hold', reason: '' },
    Fields: ({ rule, onChange, fault }) => (
      <TextField
        label="Reason"
        hint="Shown when a deletion is denied."
        required
        value={rule.reason}
        fault={fault('reason')}
        onInput={(reason) => onChange({ ...rule, reason })}
      />
    ),
  },
};

/** A rule form without its type parameter. */
interface AnyRuleForm {
  hint: string;
  start: PolicyRule;
  Fields: (props: {
    rule: PolicyRule;
    onChange: (rule: PolicyRule) => void;
    fault: (parameter: string) => string | undefined;
  }) => ComponentChildren;
}

/** The form of a type of rule. It must be given rules of that type only, and returns such rules. */
export function formOf(type: RuleName): AnyRuleForm {
  return ruleForms[type] as unknown as AnyRuleForm;
}

/** The actions that a type of rule applies to, in display order. */
export function actionsOf(type: RuleName): readonly PolicyAction[] {
  const speaks: readonly PolicyAction[] = ruleForms[type].actions;
  return actionNames.filter((action) => speaks.includes(action));
}

function sentenceCase(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
