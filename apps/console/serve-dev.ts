import { join } from 'node:path'
import { createServer, type ViteDevServer } from 'vite'

/**
 * Serves the console from its sources with live reload on `port` of localhost (0: any that is free), and hands its calls to the server at `target`, the console's
 * own origin. The session cookie is that of `target`: whoever is signed in there is signed in here. What the server itself adds to the
 * page, its content security policy and the hashes of its files, is not here.
 */
export async function serveDev(target: string, port: number): Promise<ViteDevServer> {
  const server = await createServer({
    configFile: join(import.meta.dirname, 'vite.config.ts'),
    // Calls are refused if they come from another origin than the console's.
    server: { port, strictPort: true, proxy: { '/api': { target, changeOrigin: true, headers: { origin: target } } } },
  })
  return server.listen()
}
