/**
 * Arranges the weights of a convolution of single pixels for `kernels.as`: for each 4 outputs, for
 * each input, the 4 weights.
 * @param weights by output and input
 */
export function denseWeights(weights: Float32Array, outputs: number): Float32Array {
  const inputs = weights.length / outputs;
  const arranged = new Float32Array(weights.length);
  for (let output = 0; output < outputs; output += 1) {
    for (let input = 0; input < inputs; input += 1) {
      const at = (output >> 2) * inputs * 4 + input * 4 + (output & 3);
      arranged[at] = weights[output * inputs + input] ?? 0;
    }
  }
  return arranged;
}
