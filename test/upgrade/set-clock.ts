// Programs that load this first have a clock that stands elsewhere: what a release stored is opened at the time when it was stored, since orders, changes
// and the policy expire, and it has to be paid from years later. Everything here reads the time of day from Date.

const VARIABLE = 'HOLDFAST_TEST_CLOCK_SHIFT_MS'
const realNow = Date.now
let shiftMs = Number(process.env[VARIABLE] ?? '0')
const now = () => realNow() + shiftMs

globalThis.Date = new Proxy(Date, {
  construct: (date, given, target) => Reflect.construct(date, given.length === 0 ? [now()] : given, target) as Date,
  get: (date, name) => (name === 'now' ? now : (Reflect.get(date, name) as unknown)),
})

/** Sets the clock of this program, and of every one that it starts from now on. */
export function setClock(nowMs: number): void {
  shiftMs = nowMs - realNow()
  process.env[VARIABLE] = String(shiftMs)
  process.env.NODE_OPTIONS = `--import=${import.meta.url}`
}
