import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pagePolicy } from './security-headers.ts'
import { encodedFor, type StaticFile, type StaticFiles } from './static-files.ts'

const PAGE_PATHS = ['/mpc', '/mpc/*', '/login', '/zh-CN/login', '/custody/notPms']

const NOT_BUILT =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Holdfast</title><h1>The console is not built yet</h1>' +
  '<p>Stop the server and start it again with "npm start", which builds it.</p></html>'

function send(request: FastifyRequest, reply: FastifyReply, file: StaticFile): FastifyReply {
  void reply.header('cache-control', file.cacheControl).header('etag', file.etag).header('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const { body, encoding } = encodedFor(file, request.headers['accept-encoding'])
  if (encoding) void reply.header('content-encoding', encoding)
  return reply.type(file.type).send(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
}

/**
 * Serves the built console: its files under /mpc and, for every path of its router, the same page. `/` leads to /mpc.
 * Under another name of this machine (127.0.0.1 for localhost) it leads to the one origin, where the cookie and the passkeys work.
 */
export function serveConsole(app: FastifyInstance, files: StaticFiles, origin: () => string): void {
  const page = files.get('index.html')
  const policy = page && pagePolicy(page.body)
  const assetPaths = new Map([...files].filter(([path]) => path !== 'index.html').map(([path, file]) => [`/mpc/${path}`, file]))

  app.get('/', (_, reply) => reply.redirect(`${origin()}/mpc`, 302))
  // Browsers ask for it by themselves if a page names no icon, as on an error page.
  app.get('/favicon.ico', (request, reply) => {
    const icon = files.get('favicon.ico')
    return icon ? send(request, reply, icon) : reply.code(204).send()
  })
  // A person who opens any other path gets the console; a program learns that nothing is there.
  app.get('/*', (request, reply) => {
    const isPage = /\btext\/html\b/.test(request.headers.accept ?? '') && !request.url.startsWith('/api')
    return isPage ? reply.redirect(`${origin()}/mpc`, 302) : reply.callNotFound()
  })
  for (const path of PAGE_PATHS) {
    app.get(path, { exposeHeadRoute: true }, (request, reply) => {
      if (request.headers.host !== new URL(origin()).host) return reply.redirect(`${origin()}${request.url}`, 307)
      const pathname = request.url.split('?', 1)[0] ?? ''
      const asset = assetPaths.get(pathname)
      if (asset) return send(request, reply, asset)
      // An asset of an older build is gone: a page in its place would run as a script and fail in a way nobody understands.
      if (pathname.startsWith('/mpc/assets/')) return reply.code(404).type('text/plain').send('not found')
      if (!page || !policy) return reply.code(503).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(NOT_BUILT)
      return send(request, reply.header('content-security-policy', policy), page)
    })
  }
}
