/**
 * Convolutions on pixels of 32-bit floats, four channels at a time. Compiled to kernels.wasm (see
 * README.md).
 */

/** Applies an activation: 0 none, 1 ReLU, 2 hard swish followed by a scale and a shift. */
// @ts-ignore: decorator
@inline
function activate(v: v128, activation: i32, scale: v128, shift: v128): v128 {
  if (activation == 0) return v;
  const zero = f32x4.splat(0);
  if (activation == 1) return f32x4.max(v, zero);
  const gate = f32x4.min(f32x4.max(f32x4.add(v, f32x4.splat(3)), zero), f32x4.splat(6));
  const swish = f32x4.mul(f32x4.mul(v, gate), f32x4.splat(1 / <f32>6));
  return f32x4.add(f32x4.mul(swish, scale), shift);
}

/**
 * Multiplies each pixel by a matrix, adds the biases, and the residual if it is not 0, and activates
 * the result. Works on 8 pixels at a time, so that up to 7 pixels beyond the last
 * one are read and written.
 * @param weights for each 4 outputs, for each input, the 4 weights
 */
export function dense(
  source: usize, target: usize, pixels: i32, inputs: i32, outputs: i32,
  weights: usize, biases: usize, residual: usize, activation: i32, scale: f32,
  shift: f32,
): void {
  const from: usize = inputs << 2;
  const to: usize = outputs << 2;
  const scales = f32x4.splat(scale);
  const shifts = f32x4.splat(shift);
  for (let pixel = 0; pixel < pixels; pixel += 8) {
    let weight = weights;
    for (let at: usize = 0; at < to; at += 16) {
      let s0 = v128.load(biases + at);
      let s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
      let p = source;
      const end = source + from;
      let q = source + 4 * from;
      for (; p < end; p += 4, q += 4, weight += 16) {
        const w = v128.load(weight);
        s0 = f32x4.add(s0, f32x4.mul(w, v128.load32_splat(p)));
        s1 = f32x4.add(s1, f32x4.mul(w, v128.load32_splat(p + from)));
        s2 = f32x4.add(s2, f32x4.mul(w, v128.load32_splat(p + 2 * from)));
        s3 = f32x4.add(s3, f32x4.mul(w, v128.load32_splat(p + 3 * from)));
        s4 = f32x4.add(s4, f32x4.mul(w, v128.load32_splat(q)));
        s5 = f32x4.add(s5, f32x4.mul(w, v128.load32_splat(q + from)));
        s6 = f32x4.add(s6, f32x4.mul(w, v128.load32_splat(q + 2 * from)));
        s7 = f32x4.add(s7, f32x4.mul(w, v128.load32_splat(q + 3 * from)));
      }
      if (residual != 0) {
        const r = residual + at;
        s0 = f32x4.add(s0, v128.load(r));
        s1 = f32x4.add(s1, v128.load(r + to));
        s2 = f32x4.add(s2, v128.load(r + 2 * to));
        s3 = f32x4.add(s3, v128.load(r + 3 * to));
        s4 = f32x4.add(s4, v128.load(r + 4 * to));
        s5 = f32x4.add(s5, v128.load(r + 5 * to));
        s6 = f32x4.add(s6, v128.load(r + 6 * to));
        s7 = f32x4.add(s7, v128.load(r + 7 * to));
      }
      if (activation != 0) {
        s0 = activate(s0, activation, scales, shifts);
        s1 = activate(s1, activation, scales, shifts);
        s2 = activate(s2, activation, scales, shifts);
        s3 = activate(s3, activation, scales, shifts);
        s4 = activate(s4, activation, scales, shifts);
        s5 = activate(s5, activation, scales, shifts);
        s6 = activate(s6, activation, scales, shifts);
        s7 = activate(s7, activation, scales, shifts);
      }
      const t = target + at;
      v128.store(t, s0);
      v128.store(t + to, s1);
      v128.store(t + 2 * to, s2);
      v128.store(t + 3 * to, s3);
      v128.store(t + 4 * to, s4);
      v128.store(t + 5 * to, s5);
      v128.store(t + 6 * to, s6);
      v128.store(t + 7 * to, s7);
    }
    source += 8 * from;
    target += 8 * to;
    if (residual != 0) residual += 8 * to;
  }
}

/**
 * Filters each channel by 3 × 3 or 5 × 5 weights, adds the biases, and activates the result.
 * @param source the pixel under the first weight for the first pixel of the result
 * @param pitch the pixels in a row of the source
 * @param targetPitch the pixels in a row of the target, of which `width` are written
 * @param size 3 or 5
 * @param weights for each position, the weight of each channel
 */
export function depthwise(
  source: usize, pitch: i32, target: usize, targetPitch: i32, width: i32, height: i32,
  channels: i32, step: i32, size: i32, weights: usize, biases: usize, activation: i32, scale: f32,
  shift: f32,
): void {
  const scales = f32x4.splat(scale);
  const shifts = f32x4.splat(shift);
  const c: usize = channels << 2;
  const row: usize = pitch * c;
  for (let y = 0; y < height; y++) {
    let s = source + y * step * row;
    let t = target + y * targetPitch * c;
    for (let x = 0; x < width; x++) {
      for (let at: usize = 0; at < c; at += 16) {
        let sum = v128.load(biases + at);
        if (size == 3) {
          const a = s + at, b = a + row, d = b + row;
          const w = weights + at;
          sum = f32x4.add(sum, f32x4.mul(v128.load(a), v128.load(w)));
          let two = f32x4.mul(v128.load(a + c), v128.load(w + c));
          sum = f32x4.add(sum, f32x4.mul(v128.load(a + 2 * c), v128.load(w + 2 * c)));
          two = f32x4.add(two, f32x4.mul(v128.load(b), v128.load(w + 3 * c)));
          sum = f32x4.add(sum, f32x4.mul(v128.load(b + c), v128.load(w + 4 * c)));
          two = f32x4.add(two, f32x4.mul(v128.load(b + 2 * c), v128.load(w + 5 * c)));
          sum = f32x4.add(sum, f32x4.mul(v128.load(d), v128.load(w + 6 * c)));
          two = f32x4.add(two, f32x4.mul(v128.load(d + c), v128.load(w + 7 * c)));
          sum = f32x4.add(sum, f32x4.mul(v128.load(d + 2 * c), v128.load(w + 8 * c)));
          sum = f32x4.add(sum, two);
        } else {
          let w = weights + at;
          for (let line: usize = 0; line < 5; line++) {
            const a = s + at + line * row;
            sum = f32x4.add(sum, f32x4.mul(v128.load(a), v128.load(w)));
            let two = f32x4.mul(v128.load(a + c), v128.load(w + c));
            sum = f32x4.add(sum, f32x4.mul(v128.load(a + 2 * c), v128.load(w + 2 * c)));
            two = f32x4.add(two, f32x4.mul(v128.load(a + 3 * c), v128.load(w + 3 * c)));
            sum = f32x4.add(sum, f32x4.mul(v128.load(a + 4 * c), v128.load(w + 4 * c)));
            sum = f32x4.add(sum, two);
            w += 5 * c;
          }
        }
        v128.store(t + at, activate(sum, activation, scales, shifts));
      }
      s += step * c;
      t += c;
    }
  }
}
