import type { Ports } from '@holdfast/ports'

const NAMES = {
  decisions: ['holdfast_co_signer_decisions_total', 'Orders decided, by decision.', 'decision'],
  refused: ['holdfast_co_signer_refused_requests_total', 'Requests that did not hold and were answered by no decision, by the check that failed.', 'check'],
  callback: ['holdfast_co_signer_callback_answers_total', 'Answers of the callback: yes, no, or none.', 'answer'],
  waiting: ['holdfast_co_signer_put_off_total', 'Answers that said later, by why.', 'why'],
} as const
type Counter = keyof typeof NAMES

/** What this co-signer counts of itself since it was started. */
export class Figures {
  readonly #counts = new Map<string, { counter: Counter; label: string; count: number }>()
  /** What is measured when it is asked for, by the name of its figure. */
  readonly gauges = new Map<string, { help: string; read: () => number }>()
  callbackMs = 0

  count(counter: Counter, label: string): void {
    const key = `${counter} ${label}`
    const known = this.#counts.get(key) ?? { counter, label, count: 0 }
    known.count++
    this.#counts.set(key, known)
  }

  /** Everything in the text form of Prometheus. */
  text(): string {
    const lines: string[] = []
    for (const [counter, [name, help, label]] of Object.entries(NAMES)) {
      lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`)
      for (const each of this.#counts.values()) if (each.counter === counter) lines.push(`${name}{${label}="${each.label}"} ${each.count}`)
    }
    const sum = 'holdfast_co_signer_callback_seconds_total'
    lines.push(`# HELP ${sum} Time spent waiting for the callback.`, `# TYPE ${sum} counter`, `${sum} ${this.callbackMs / 1000}`)
    for (const [name, { help, read }] of this.gauges) lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${read()}`)
    return `${lines.join('\n')}\n`
  }
}

/** Serves the figures at /metrics, and at /health whether it can decide now: 200, or 503 with why. */
export function serveFigures(
  { net }: Pick<Ports, 'net'>,
  { host, port }: { host: string; port: number },
  { figures, obstacle }: { figures: Figures; obstacle: () => string | undefined },
): Promise<{ port: number; close(): Promise<void> }> {
  return net.serveHttp(host, port, async (request) => {
    const { pathname } = new URL(request.url)
    if (request.method !== 'GET') return new Response('only GET\n', { status: 405 })
    if (pathname === '/metrics') return new Response(figures.text(), { headers: { 'Content-Type': 'text/plain; version=0.0.4' } })
    if (pathname !== '/health') return new Response('ask for /metrics or /health\n', { status: 404 })
    const why = obstacle()
    return new Response(`${why ?? 'ok'}\n`, { status: why === undefined ? 200 : 503 })
  })
}
