import type { Ports } from '@holdfast/ports'
import { fileURLToPath } from 'node:url'
import { at } from '@holdfast/units'

export type FaucetPage = { html: string; policy: string }

/** The faucet page with a policy that allows exactly its own script and style, by their hashes, and nothing else. */
export async function loadPage(disk: Pick<Ports['disk'], 'read'>): Promise<FaucetPage> {
  const file = await disk.read(fileURLToPath(new URL('./faucet-page.html', import.meta.url)))
  if (!file) throw new Error('faucet-page.html is missing from the program')
  const html = new TextDecoder().decode(file)
  const policy = [
    "default-src 'none'",
    `script-src ${await hashOf(html, 'script')}`,
    `style-src ${await hashOf(html, 'style')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return { html, policy }
}

async function hashOf(html: string, tag: string): Promise<string> {
  const found = [...html.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))]
  if (found.length !== 1) throw new Error(`faucet-page.html must hold exactly one ${tag}`)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(at(found, 0)[1]))
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`
}
