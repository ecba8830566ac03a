import type { App } from '../app.ts'

type Step = () => Promise<void>
/** Keeps what went wrong, and undefined while nothing has. */
type Keep = (problem: unknown) => void

/** What a page does at a time. It is drawn before and after, as long as it is the page that is shown. */
export class Work {
  readonly #app: Pick<App, 'redraw'>
  isBusy = false
  isStopped = false

  constructor(app: Pick<App, 'redraw'>) {
    this.#app = app
  }

  redraw(): void {
    if (!this.isStopped) this.#app.redraw()
  }

  /** Reads something. */
  async read(keep: Keep, step: Step): Promise<void> {
    keep(undefined)
    await step().catch(keep)
    this.redraw()
  }

  /** Does something that a person asked for, unless something is being done. */
  async run(keep: Keep, step: Step): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    keep(undefined)
    this.redraw()
    await step().catch(keep)
    this.isBusy = false
    this.redraw()
  }
}
