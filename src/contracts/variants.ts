/**
 * What may be taken out of a picture before it is served: `gps` is every trace of where it was
 * taken, `all` is every word about it. How it is turned and its colours stay in both.
 */
export const stripFields = ['gps', 'all'] as const;
export type StripFields = (typeof stripFields)[number];

/** Bytes that are served in place of an object's own (the table `object_variant`). */
export const variantNames = ['strip:gps', 'strip:all'] as const satisfies `strip:${StripFields}`[];
export type VariantName = (typeof variantNames)[number];

/** What a variant has less than the object. */
export const variantFields: Readonly<Record<VariantName, StripFields>> = {
  'strip:gps': 'gps',
  'strip:all': 'all',
};
