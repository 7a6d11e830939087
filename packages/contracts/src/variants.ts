/**
 * The metadata that can be stripped from an image before delivery: `gps` is all metadata that may
 * reveal the location, `all` is all metadata. Both keep the orientation and the colour profile.
 */
export const stripFields = ['gps', 'all'] as const;
export type StripFields = (typeof stripFields)[number];

/** Bytes that are served in place of the original (table `object_variant`). */
export const variantNames = ['strip:gps', 'strip:all'] as const satisfies `strip:${StripFields}`[];
export type VariantName = (typeof variantNames)[number];

/** The metadata that each variant lacks. */
export const variantFields: Readonly<Record<VariantName, StripFields>> = {
  'strip:gps': 'gps',
  'strip:all': 'all',
};
