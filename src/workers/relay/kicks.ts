/** Kicks that are passed on at a bounded rate. */
export interface Kicks {
  kick(): void;
  stop(): void;
}

/** Passes kicks on: the first at once, and those that follow within the pause as one at its end. */
export function kickSeldom(pauseMs: () => number, kick: () => void): Kicks {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const pass = (): void => {
    again = false;
    kick();
    timer = setTimeout(() => {
      timer = undefined;
      if (again) pass();
    }, pauseMs());
  };
  return {
    kick() {
      if (timer) again = true;
      else pass();
    },
    stop: () => clearTimeout(timer),
  };
}
