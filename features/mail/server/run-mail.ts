import type { ServerContext } from '@holdfast/features/context'
import { repeat } from '@holdfast/jobs'
import type { Mailer } from '@holdfast/mail'
import { newId } from '@holdfast/units'
import { sendDueMail } from './send-mail.ts'

/** E-mails are read hours later; nobody has to wake this. */
const PAUSE_MS = 2_000

/** Sends e-mails until stopped, whichever feature wrote them. Nothing else waits for it. */
export function startMail(
  { db, ports }: Pick<ServerContext, 'db' | 'ports'>,
  mailer: Mailer | undefined,
  report: (cause: unknown) => void = () => {},
): { stop(): Promise<void> } {
  const holder = newId(ports.clock.nowMs(), ports.random)
  const stopping = new AbortController()
  const round = async () => {
    while ((await sendDueMail({ db, ports, mailer }, holder, stopping.signal)) > 0 && !stopping.signal.aborted) {
      /* There may be more. */
    }
  }
  const sweeper = repeat(ports.timer, PAUSE_MS, round, report)
  return {
    stop: async () => {
      stopping.abort()
      await sweeper.stop()
    },
  }
}
