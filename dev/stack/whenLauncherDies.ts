const lookEveryMs = 1_000

/**
 * npm starts us and passes signals on; when npm itself is killed, nobody would ever stop us. A process whose parent dies
 * is given another one, which is how we notice.
 */
export function whenLauncherDies(then: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const launcher = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === launcher) return
    clearInterval(timer)
    then()
  }, lookEveryMs)
  timer.unref()
}
