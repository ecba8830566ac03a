import type { BrowserContext } from 'playwright-core'
import { clockAheadMs } from '../../processes/testing/test-clock.ts'

/** Sets the clocks of browsers by that of the test, in what is open and in every page from now on. Their timers stay as they are. */
export async function followClock(contexts: readonly BrowserContext[]): Promise<void> {
  const aheadMs = clockAheadMs()
  for (const context of contexts) {
    await context.addInitScript(shiftDate, aheadMs)
    for (const page of context.pages()) await page.evaluate(shiftDate, aheadMs)
  }
}

/** Runs in a page, where it may have run before. */
function shiftDate(aheadMs: number): void {
  const kept = globalThis as { machineDate?: DateConstructor }
  const machine = (kept.machineDate ??= Date)
  const now = () => machine.now() + aheadMs
  globalThis.Date = new Proxy(machine, {
    construct: (date, given, target) => Reflect.construct(date, given.length === 0 ? [now()] : given, target) as Date,
    get: (date, name) => (name === 'now' ? now : (Reflect.get(date, name) as unknown)),
  })
}
