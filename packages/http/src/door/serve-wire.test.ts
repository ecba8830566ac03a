import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '@holdfast/contract'
import { startTestServer } from '../test-server.ts'
import type { WireDoor } from './serve-wire.ts'

const [SHUT, OPEN] = ['/open/wire/shut', '/open/wire/open']

test('whoever is not let in is answered before that is written down, and whoever is let in after', async () => {
  let finish = () => {}
  const written = new Promise<void>((resolve) => (finish = resolve))
  const noted: string[] = []
  const wire: WireDoor = {
    paths: [SHUT, OPEN],
    admit: async (path) => {
      if (path === SHUT) throw new AppError('signature_check_failed')
      return { seal: ({ code }) => ({ data: `sealed ${code}` }), act: async () => null }
    },
    record: async ({ path }) => {
      await written
      noted.push(path)
    },
  }
  const { server, log } = await startTestServer({ wire })
  // Nothing is written yet, so this would never be answered if the answer waited for it.
  const refused = await server.inject({ method: 'POST', url: SHUT })
  assert.deepEqual([refused.statusCode, (refused.json() as { code: string }).code, noted], [200, '100005', []])
  const answering = server.inject({ method: 'POST', url: OPEN })
  finish()
  assert.deepEqual([(await answering).json(), noted], [{ data: 'sealed 0' }, [SHUT, OPEN]])
  assert.deepEqual(
    log.map(({ path, errorName }) => [path, errorName]),
    [
      [SHUT, 'signature_check_failed'],
      [OPEN, undefined],
    ],
  )
})

test('a door is told the address that a trusted proxy saw, and takes nobody else’s word for it', async () => {
  const addresses: string[] = []
  const wire: WireDoor = {
    paths: [SHUT],
    admit: async (_, { ip }) => {
      addresses.push(ip)
      throw new AppError('signature_check_failed')
    },
    record: async () => {},
  }
  const headers = { 'x-forwarded-for': '203.0.113.7, 198.51.100.9' }
  for (const options of [{ wire, trustedProxies: ['127.0.0.1'] }, { wire }]) {
    const { server } = await startTestServer(options)
    await server.inject({ method: 'POST', url: SHUT, headers })
  }
  assert.deepEqual(addresses, ['198.51.100.9', '127.0.0.1'], 'what precedes the address that the proxy adds, the sender wrote')
})
