/** Vectors of generated passages and questions, of length 1. */
interface VectorSource {
  passage(): number[];
  /** Near a topic of the passages. */
  question(): number[];
}

const topicCount = 2_000;
/** The length of what a text adds to its topic. */
const spread = 0.8;
/** Components become smaller in this proportion, since those of texts are correlated. */
const decay = 0.5;

/** Creates a source that always produces the same vectors. */
export function createVectorSource(dimensions: number): VectorSource {
  let state = 42;
  const random = (): number => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  // The sum of three uniform numbers is nearly normal, and cheap.
  const normal = (): number => (random() + random() + random() - 1.5) * 2;
  const scales = Array.from({ length: dimensions }, (_, at) => (at + 1) ** -(decay / 2));
  const topics = Array.from({ length: topicCount }, () => unit(scales.map((s) => s * normal())));
  const near = (): number[] => {
    // Few topics have most texts.
    const topic = topics[Math.floor(topicCount * random() ** 2)]!;
    const own = unit(scales.map((s) => s * normal()));
    return unit(topic.map((component, at) => component + spread * own[at]!));
  };
  return { passage: near, question: near };
}

function unit(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, component) => sum + component * component, 0));
  return vector.map((component) => component / length);
}
