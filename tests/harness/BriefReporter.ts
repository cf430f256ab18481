import { DefaultReporter, type TestModule } from 'vitest/node'

const everyMs = 30_000

/**
 * For output that is kept in a file: what fails is shown at once and again at the end, what passes is only counted. On
 * a terminal it is Vitest's own reporter.
 */
export default class BriefReporter extends DefaultReporter {
  private readonly counts = { files: 0, passed: 0, failed: 0, skipped: 0 }
  private readonly running = new Set<string>()
  private total = 0
  private timer: NodeJS.Timeout | undefined

  override onTestRunStart(...[specifications]: Parameters<DefaultReporter['onTestRunStart']>): void {
    super.onTestRunStart(specifications)
    this.total = specifications.length
    if (!this.isTTY) this.timer = setInterval(() => this.log(this.progress()), everyMs)
  }

  override onTestModuleCollected(module: TestModule): void {
    super.onTestModuleCollected(module)
    this.running.add(module.relativeModuleId)
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module)
    this.running.delete(module.relativeModuleId)
    this.counts.files += 1
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state !== 'pending') this.counts[state] += 1
    }
  }

  override onTestRunEnd(...ended: Parameters<DefaultReporter['onTestRunEnd']>): void {
    clearInterval(this.timer)
    super.onTestRunEnd(...ended)
  }

  protected override printTestModule(module: TestModule): void {
    if (this.isTTY || module.state() === 'failed') super.printTestModule(module)
  }

  private progress(): string {
    const { files, passed, failed, skipped } = this.counts
    const seconds = Math.round((performance.now() - this.start) / 1000)
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    const others = `${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    return `${time}  ${files} of ${this.total} files, ${passed} passed, ${others}; now ${[...this.running].join(', ')}`
  }
}
