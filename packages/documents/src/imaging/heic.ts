/// <reference path="./libheif.d.ts" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { limits } from '@scriptorium/contracts/limits';
import makeLibheif, { type Libheif } from 'libheif-js/libheif-wasm/libheif.js';
import { damagedError, tooManyPixelsError } from './errors.ts';

/** Pixels with alpha, four bytes per pixel. */
export interface HeicPixels {
  data: Buffer;
  width: number;
  height: number;
}

let library: Libheif | undefined;

/**
 * Returns the decoder: libheif with libde265 as WebAssembly, because this build of libvips does not
 * support HEVC.
 */
function libheif(): Libheif {
  const { resolve } = createRequire(import.meta.url);
  library ??= makeLibheif({
    wasmBinary: readFileSync(resolve('libheif-js/libheif-wasm/libheif.wasm')),
  });
  return library;
}

/**
 * Reads a HEIC file: its size as displayed and, on request, its pixels. The rotations and mirroring
 * in the file are applied.
 * @throws EngineError `too_many_pixels` or `damaged`.
 */
export function openHeic(bytes: Uint8Array): {
  width: number;
  height: number;
  decode(): HeicPixels;
} {
  const { width, height } = withPrimary(bytes, (size) => size);
  if (width * height > limits.image_pixels) throw tooManyPixelsError();
  return {
    width,
    height,
    decode: () => withPrimary(bytes, (_size, decode) => decode()),
  };
}

/** Runs `use` with the primary picture of a file. */
function withPrimary<T>(
  bytes: Uint8Array,
  use: (size: { width: number; height: number }, decode: () => HeicPixels) => T,
): T {
  const heif = libheif();
  const context = heif.heif_context_alloc();
  if (!context) throw damagedError();
  try {
    const { code } = heif.heif_context_read_from_memory(context, bytes);
    if (code !== heif.heif_error_code.heif_error_Ok) throw damagedError();
    const image = heif.heif_js_context_get_primary_image_handle(context);
    if (!image || 'code' in image) throw damagedError();
    try {
      const width = heif.heif_image_handle_get_width(image);
      const height = heif.heif_image_handle_get_height(image);
      return use({ width, height }, () => {
        const decoded = heif.heif_js_decode_image2(
          image,
          heif.heif_colorspace.heif_colorspace_RGB,
          heif.heif_chroma.heif_chroma_interleaved_RGBA,
        );
        if (!decoded || 'code' in decoded) throw damagedError();
        try {
          const pixels = decoded.channels.find(
            ({ id }) => id === heif.heif_channel.heif_channel_interleaved,
          );
          if (!pixels) throw damagedError();
          const row = pixels.width * 4;
          const data = Buffer.alloc(row * pixels.height);
          for (let y = 0; y < pixels.height; y += 1) {
            const from = y * pixels.stride;
            data.set(pixels.data.subarray(from, from + row), y * row);
          }
          return { data, width: pixels.width, height: pixels.height };
        } finally {
          heif.heif_image_release(decoded.image);
        }
      });
    } finally {
      heif.heif_image_handle_release(image);
    }
  } finally {
    heif.heif_context_free(context);
  }
}
