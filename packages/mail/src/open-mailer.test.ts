import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { after, test } from 'node:test'
import { nodePorts } from '@holdfast/ports/node'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { type Mail, type MailServer, openMailer } from './index.ts'

const MAIL: Mail = {
  id: '01890000-0000-7000-8000-000000000001',
  to: 'ann@company.example',
  subject: '一个通知回调地址已暂停',
  text: 'Two lines.\n.\nAnd a dot before.',
  writtenAtMs: 1_750_000_000_000,
}
const never = new AbortController().signal
const closing: (() => void)[] = []
after(() => closing.forEach((close) => close()))

async function listening(server: SMTPServer | Server, host = '127.0.0.1'): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const net = server instanceof SMTPServer ? server.listen(0, host, resolve) : server.listen(0, host, resolve)
  closing.push(() => server.close())
  await promise
  return (net.address() as AddressInfo).port
}

/** A mail server that keeps what it takes, and who signs in. */
async function mailServer(change: SMTPServerOptions = {}, host?: string): Promise<{ port: number; taken: string[]; signIns: string[] }> {
  const taken: string[] = []
  const signIns: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username = '', password = '' }, _, done) => {
      signIns.push(`${username} ${password}`)
      return password === 'right' ? done(null, { user: username }) : done(new Error('no'))
    },
    onData: (stream, _, done) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        taken.push(Buffer.concat(pieces).toString())
        done()
      })
    },
    ...change,
  })
  server.on('error', () => undefined)
  return { port: await listening(server, host), taken, signIns }
}

const send = (change: Partial<MailServer>, signal = never) =>
  openMailer(nodePorts, { host: '127.0.0.1', port: 1, isSecure: false, user: '', password: undefined, from: 'holdfast@company.example', ...change }).send(
    MAIL,
    signal,
  )

test('a mail server gets the e-mail whole, signed in where it asks for that', async () => {
  const { port, taken, signIns } = await mailServer({ authOptional: false })
  assert.equal(await send({ port, user: 'holdfast', password: 'wrong' }), 'login')
  assert.equal(await send({ port, user: 'holdfast', password: 'right' }), undefined)
  assert.deepEqual(signIns, ['holdfast wrong', 'holdfast right'])
  assert.equal(taken.length, 1)
  const [message] = taken
  assert.match(message!, /^To: ann@company\.example\r$/m)
  assert.match(message!, /^Message-ID: <01890000-0000-7000-8000-000000000001@company\.example>\r$/m)
  assert.match(message!, /^Auto-Submitted: auto-generated\r$/m)
  assert.match(message!, /\r\n\r\nTwo lines\.\r\n\.\r\nAnd a dot before\.\r\n$/)
})

test('only the refusal of a recipient or of the e-mail is the last word; a full or busy server, or one that refuses the sender, is tried again', async () => {
  const refusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode })
  const refusing = (code: number) => (_: unknown, __: unknown, done: (error: Error) => void) => done(refusal(code))
  const outcome = async (change: SMTPServerOptions) => send({ port: (await mailServer(change)).port })
  assert.equal(await outcome({ onRcptTo: refusing(550) }), 'refused')
  assert.equal(await outcome({ onData: (stream, _, done) => void stream.resume().on('end', () => done(refusal(554))) }), 'refused')
  assert.equal(await outcome({ onRcptTo: refusing(452) }), 'deferred')
  assert.equal(await outcome({ onMailFrom: refusing(553) }), 'deferred')
})

test('a server that is away, hangs up, speaks another language or leaves the answer out is told apart from one that took the e-mail', async () => {
  assert.equal(await send({ port: 1 }), 'unreachable')
  const silent = await mailServer({ onData: (stream) => void stream.resume() })
  assert.equal(await send({ port: silent.port }, AbortSignal.timeout(300)), 'interrupted')
  const hangsUp = async (say: string) => send({ port: await listening(createServer((socket) => void socket.on('error', () => undefined).end(say))) })
  assert.equal(await hangsUp(''), 'lost')
  assert.equal(await hangsUp('220 here\r\n'), 'lost')
  assert.equal(await hangsUp('HTTP/1.1 400 Bad Request\r\n\r\n'), 'lost')
  assert.equal(await send({}, AbortSignal.abort()), 'interrupted')
})

test('nothing is said in the clear but to this machine, and no certificate is believed that nobody vouches for', async () => {
  const [user, password] = ['holdfast', 'secret']
  // Not this machine by its name, so it is to turn to TLS first: the one cannot, the other has a certificate of its own making.
  for (const disabledCommands of [['STARTTLS'], []]) {
    const other = await mailServer({ disabledCommands }, '127.0.0.2')
    assert.equal(await send({ port: other.port, host: '127.0.0.2', user, password }), 'tls')
    assert.deepEqual([other.taken, other.signIns], [[], []])
  }
  const secure = await mailServer({ secure: true })
  assert.equal(await send({ port: secure.port, isSecure: true, user, password }), 'tls')
  assert.deepEqual([secure.taken, secure.signIns], [[], []])
})
