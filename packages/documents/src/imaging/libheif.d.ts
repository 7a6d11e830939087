/** The functions of `libheif-js` that are used. The package declares its functions as `any`. */
declare module 'libheif-js/libheif-wasm/libheif.js' {
  /** A number in the memory of the library. */
  type Handle = { readonly handle: unique symbol };
  type Failure = { code: unknown };
  export type Channel = {
    id: unknown;
    width: number;
    height: number;
    stride: number;
    data: Uint8Array;
  };

  export type Libheif = {
    heif_error_code: { heif_error_Ok: unknown };
    heif_colorspace: { heif_colorspace_RGB: unknown };
    heif_chroma: { heif_chroma_interleaved_RGBA: unknown };
    heif_channel: { heif_channel_interleaved: unknown };
    heif_context_alloc(): Handle | null;
    heif_context_free(context: Handle): void;
    heif_context_read_from_memory(context: Handle, bytes: Uint8Array): Failure;
    heif_js_context_get_primary_image_handle(context: Handle): Handle | Failure | null;
    heif_image_handle_get_width(image: Handle): number;
    heif_image_handle_get_height(image: Handle): number;
    heif_image_handle_release(image: Handle): void;
    heif_js_decode_image2(
      image: Handle,
      colours: unknown,
      chroma: unknown,
    ): Failure | { image: Handle; channels: Channel[] } | null;
    heif_image_release(image: Handle): void;
  };

  export default function makeLibheif(options: { wasmBinary: Uint8Array }): Libheif;
}
