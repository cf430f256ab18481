const tickMs = 20

/** Calls `work` this many times a second between `start` and `stop`, whether or not earlier calls have ended. */
export function createPace(perSecond: number, work: () => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    start(): void {
      const from = performance.now()
      let due = 0
      timer = setInterval(() => {
        for (; due < ((performance.now() - from) * perSecond) / 1000; due++) work()
      }, tickMs)
    },
    stop: () => clearInterval(timer),
  }
}
