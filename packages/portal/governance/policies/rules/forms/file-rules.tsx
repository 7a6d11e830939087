import { CheckField } from '../../../../kit/fields/field.tsx';
import { formatPixels } from '../descriptions.ts';
import { ListField } from '../list-field.tsx';
import { byteUnits, NumberField, UnitField } from '../number-field.tsx';
import { labelOptions, typeOptions } from '../options.ts';
import type { RuleForms } from './rule-form.ts';

const typeHint =
  'Detected from the content. You can also enter a type, such as image/heic or audio/*.';

/** The forms of rules about the properties of a file. */
export const fileRules: RuleForms<
  'allowed_mime_types' | 'max_bytes' | 'max_pixels' | 'max_pages' | 'deny_labels'
> = {
  allowed_mime_types: {
    hint: 'Allows or denies file types, detected from the content.',
    actions: ['upload', 'read', 'download', 'sign', 'process'],
    initialRule: { type: 'allowed_mime_types' },
    Fields: ({ rule, onChange, fault }) => {
      const { include, exclude } = rule;
      const update = (lists: { include?: string[] | undefined; exclude?: string[] | undefined }) =>
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
            onChange={(values) => update({ include: values, exclude })}
          />
          <ListField
            label="Deny these types"
            fault={fault('exclude')}
            options={typeOptions}
            values={exclude ?? []}
            onChange={(values) => update({ include, exclude: values })}
          />
        </>
      );
    },
  },
  max_bytes: {
    hint: 'Limits the file size.',
    actions: ['upload', 'read', 'download', 'sign', 'process'],
    initialRule: { type: 'max_bytes', bytes: 10_000_000 },
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
    initialRule: { type: 'max_pixels', pixels: 24_000_000 },
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
    initialRule: { type: 'max_pages', pages: 100 },
    Fields: ({ rule, onChange, fault }) => (
      <NumberField
        label="Maximum pages"
        value={rule.pages}
        fault={fault('pages')}
        onChange={(pages) => onChange({ ...rule, pages })}
      />
    ),
  },
  deny_labels: {
    hint: 'Denies files classified as one of these labels.',
    actions: ['read', 'download', 'sign', 'process'],
    initialRule: { type: 'deny_labels', labels: [] },
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
};
