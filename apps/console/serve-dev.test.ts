import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { ViteDevServer } from 'vite'
import { serveDev } from './serve-dev.ts'

describe('the console with live reload', () => {
  const heard: { url: string | undefined; origin: string | undefined; host: string | undefined }[] = []
  const server = createServer(({ url, headers: { origin, host } }, response) => {
    heard.push({ url, origin, host })
    response.end('{"code":0}')
  })
  let target: string
  let dev: ViteDevServer
  let page: string

  before(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    dev = await serveDev(target, 0)
    page = dev.resolvedUrls?.local[0] ?? ''
  })
  after(async () => {
    await dev.close()
    server.close()
  })

  it('is served from its sources', async () => {
    const html = await (await fetch(page)).text()
    assert.match(html, /@vite\/client/)
    assert.match(html, /src\/main\.tsx/)
  })

  it('hands calls to the running server as calls of its own origin', async () => {
    const response = await fetch(new URL('/api/mpc/any/call', page), { method: 'POST', body: 'a=1', headers: { origin: new URL(page).origin } })
    assert.equal(await response.text(), '{"code":0}')
    assert.deepEqual(heard, [{ url: '/api/mpc/any/call', origin: target, host: new URL(target).host }])
  })
})
