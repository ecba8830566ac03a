import type { Ports } from '@holdfast/ports'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { composeMail, type Mail } from './compose-mail.ts'

/** The operator's mail server. */
export type MailServer = {
  host: string
  port: number
  /** TLS from the first byte; otherwise the connection turns to TLS before anything is said, but on this machine. */
  isSecure: boolean
  user: string
  password: string | undefined
  /** The sender's address. */
  from: string
}

/** Why an e-mail was not taken. `refused` is the mail server's last word; after any other it may be tried again. */
export type MailFailure = 'unreachable' | 'timeout' | 'tls' | 'login' | 'refused' | 'deferred' | 'lost' | 'interrupted'

export type Mailer = {
  /**
   * Gives an e-mail to the mail server, once. Resolves with undefined if the server took it, and else with the reason; unless that is `refused`, the server may
   * have taken it all the same. When it resolves nothing of the try goes on.
   */
  send(mail: Mail, signal: AbortSignal): Promise<MailFailure | undefined>
}

/** For the whole conversation, however slowly the server speaks. */
export const SEND_MS_MAX = 30_000
const SILENCE_MS_MAX = 10_000
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '::1']

/** Speaks SMTP (RFC 5321) with the operator's mail server: one connection for each e-mail. */
export function openMailer({ timer }: Pick<Ports, 'timer'>, server: MailServer): Mailer {
  return {
    send: async (mail, signal) => {
      if (signal.aborted) return 'interrupted'
      const connection = new SMTPConnection({
        host: server.host,
        port: server.port,
        secure: server.isSecure,
        // What stays on this machine needs no TLS, and a mail server here has no certificate that anybody vouches for.
        ...(LOOPBACK.includes(server.host) ? { ignoreTLS: true } : { requireTLS: !server.isSecure }),
        connectionTimeout: SILENCE_MS_MAX,
        greetingTimeout: SILENCE_MS_MAX,
        dnsTimeout: SILENCE_MS_MAX,
        socketTimeout: SILENCE_MS_MAX,
        socketCloseTimeout: 0,
      })
      const ended = new AbortController()
      const { promise: broken, reject } = Promise.withResolvers<never>()
      connection.on('error', reject)
      connection.once('end', () => reject(new SendingError('lost')))
      const interrupt = () => reject(new SendingError('interrupted'))
      signal.addEventListener('abort', interrupt)
      timer.sleep(SEND_MS_MAX, ended.signal).then(
        () => reject(new SendingError('timeout')),
        () => undefined,
      )
      broken.catch(() => undefined)
      try {
        await Promise.race([converse(connection, server, mail), broken])
        return undefined
      } catch (cause) {
        return failureOf(cause)
      } finally {
        signal.removeEventListener('abort', interrupt)
        ended.abort()
        connection.close()
      }
    },
  }
}

async function converse(connection: SMTPConnection, { from, user, password }: MailServer, mail: Mail): Promise<void> {
  const message = await composeMail(from, mail)
  await finished((done) => connection.connect(done))
  if (password !== undefined) await finished((done) => connection.login({ user, pass: password }, done))
  await finished((done) => connection.send({ from, to: [mail.to], size: message.length }, message, done))
}

function finished(act: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => act((error) => (error ? reject(error) : resolve())))
}

class SendingError extends Error {
  override name = 'SendingError'
  readonly failure: MailFailure
  constructor(failure: MailFailure) {
    super(failure)
    this.failure = failure
  }
}

const FAILURES: Readonly<Record<string, MailFailure>> = {
  EDNS: 'unreachable',
  ECONNREFUSED: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
  ETLS: 'tls',
  EAUTH: 'login',
  ENOAUTH: 'login',
}

/** What the library says of an error: `originalCode` is the system's own, `responseCode` the mail server's. */
type Fault = { code?: string; originalCode?: string; responseCode?: number; command?: string }

function failureOf(cause: unknown): MailFailure {
  if (cause instanceof SendingError) return cause.failure
  const { code = '', originalCode = '', responseCode = 0, command = '' } = cause as Fault
  // Only the recipient and the e-mail itself can be refused for good: all else is for the operator to mend.
  if (responseCode >= 500 && /^(RCPT TO|DATA)/.test(command)) return 'refused'
  for (const each of [originalCode, code]) {
    const known = Object.hasOwn(FAILURES, each) ? FAILURES[each] : undefined
    if (known) return known
    if (/CERT|SSL|TLS|VERIFY/.test(each)) return 'tls'
  }
  return responseCode >= 400 ? 'deferred' : 'lost'
}
