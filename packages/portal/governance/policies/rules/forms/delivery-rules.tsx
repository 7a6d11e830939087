import { profileNames } from '@scriptorium/contracts/documents/profiles';
import type { ReviewableOperation } from '@scriptorium/contracts/operations';
import type { StripFields } from '@scriptorium/contracts/variants';
import { CheckField, SelectField } from '../../../../kit/fields/field.tsx';
import { metadataLabels, reviewLabels } from '../descriptions.ts';
import { ListField } from '../list-field.tsx';
import { entityOptions, profileOptions, sentenceCase } from '../options.ts';
import type { RuleForms } from './rule-form.ts';

/** The forms of rules about content that leaves the service. */
export const deliveryRules: RuleForms<
  'strip_metadata' | 'require_redaction' | 'require_review' | 'external'
> = {
  strip_metadata: {
    hint: 'Removes metadata from downloaded images. Originals are kept unchanged.',
    actions: ['download'],
    initialRule: { type: 'strip_metadata', fields: ['gps'] },
    Fields: ({ rule, onChange, fault }) => (
      <fieldset class="policy-choices">
        <legend>Remove</legend>
        {(Object.keys(metadataLabels) as StripFields[]).map((field) => (
          <CheckField
            key={field}
            label={sentenceCase(metadataLabels[field])}
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
    initialRule: { type: 'require_redaction', entities: 'all' },
    Fields: ({ rule, onChange, fault }) => (
      <>
        <SelectField
          label="Personal data to redact"
          value={typeof rule.entities === 'string' ? rule.entities : 'some'}
          options={[...profileOptions, ['some', 'Selected kinds']]}
          onChange={(value) =>
            onChange({ ...rule, entities: profileNames.find((name) => name === value) ?? [] })
          }
        />
        {typeof rule.entities !== 'string' && (
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
        <CheckField
          label="Only if a person reviewed it"
          checked={rule.reviewed ?? false}
          onChange={(reviewed) => onChange({ ...rule, reviewed })}
        />
        <CheckField
          label="Only if someone other than the requester reviewed it"
          checked={rule.four_eyes ?? false}
          onChange={(four_eyes) => onChange({ ...rule, four_eyes })}
        />
        <CheckField
          label="Also if findings were rejected"
          checked={rule.accept_rejections ?? false}
          onChange={(accept_rejections) => onChange({ ...rule, accept_rejections })}
        />
      </>
    ),
  },
  external: {
    hint: 'Decides whether text may be sent to the external recogniser of the service during redaction.',
    actions: ['process'],
    initialRule: { type: 'external', text: 'allowed' },
    Fields: ({ rule, onChange }) => (
      <>
        <SelectField
          label="Text"
          value={rule.text}
          options={[
            ['allowed', 'May be sent'],
            ['denied', 'Is never sent'],
          ]}
          onChange={(text) =>
            onChange({ ...rule, text: text === 'allowed' ? 'allowed' : 'denied' })
          }
        />
        {rule.text === 'allowed' && (
          <SelectField
            label="If the recogniser is unavailable"
            value={rule.if_unavailable ?? 'fail'}
            options={[
              ['fail', 'Fail the page'],
              ['warn', 'Redact without it and do not call the result verified'],
            ]}
            onChange={(choice) =>
              onChange({ ...rule, if_unavailable: choice === 'warn' ? 'warn' : 'fail' })
            }
          />
        )}
      </>
    ),
  },
  require_review: {
    hint: 'Holds outputs of jobs until a person has reviewed the findings.',
    actions: ['read', 'download', 'sign'],
    initialRule: { type: 'require_review', ops: ['redact_pii'] },
    Fields: ({ rule, onChange, fault }) => (
      <fieldset class="policy-choices">
        <legend>Reviewed by a person</legend>
        {(Object.keys(reviewLabels) as ReviewableOperation[]).map((op) => (
          <CheckField
            key={op}
            label={sentenceCase(reviewLabels[op])}
            checked={rule.ops.includes(op)}
            onChange={(checked) =>
              onChange({
                ...rule,
                ops: checked ? [...rule.ops, op] : rule.ops.filter((one) => one !== op),
              })
            }
          />
        ))}
        {fault('ops') && <span class="fault">{fault('ops')}</span>}
      </fieldset>
    ),
  },
};
