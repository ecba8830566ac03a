import type { BrowserContext } from 'playwright-core'
import { build, type Rolldown } from 'vite'

const ORIGIN = 'http://parts.localhost'
const TYPES: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }

/** Builds the page of parts in memory and answers a browser's requests for it. Resolves with its address. */
export async function serveParts(context: BrowserContext): Promise<string> {
  const { default: react } = await import('@vitejs/plugin-react')
  const built = (await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: { write: false, minify: false, target: 'es2023', assetsInlineLimit: 0, chunkSizeWarningLimit: 10_000 },
  })) as Rolldown.RolldownOutput
  const files = new Map(built.output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]))
  await context.route(`${ORIGIN}/**`, async (route) => {
    const path = new URL(route.request().url()).pathname
    const body = files.get(path === '/' ? '/index.html' : path)
    if (body === undefined) return route.fulfill({ status: 404, body: '' })
    const contentType = TYPES[path.split('.').at(-1) ?? ''] ?? TYPES.html ?? ''
    return route.fulfill({ body: typeof body === 'string' ? body : Buffer.from(body), contentType })
  })
  return `${ORIGIN}/`
}
