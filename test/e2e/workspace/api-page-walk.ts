import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import { lookAt } from '../browser.ts'

const run = promisify(execFile)
const ROOT = new URL('../../..', import.meta.url).pathname

/** The block of lines of docs/api.md in which something stands. */
async function linesWith(part: string): Promise<string> {
  const page = await readFile(join(ROOT, 'docs/api.md'), 'utf8')
  const found = [...page.matchAll(/^ *```\n([^]*?)^ *```$/gm)].map(([, lines = '']) => lines).find((lines) => lines.includes(part))
  assert.ok(found)
  return found
}

/** Replaces one thing that docs/api.md says by what it is here. */
function put(text: string, from: string, to: string): string {
  assert.ok(text.includes(from), from)
  return text.replace(from, to)
}

/**
 * From the demo to the first payment of a program, as docs/api.md says it: its lines are run as they stand, but for the port of this installation and the id of
 * the key. `other` opens what a link leads to.
 */
export async function walkApiPage(page: Page, origin: string, other: (name: string | RegExp) => Promise<Page>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'api-walk-'))
  const bash = async (lines: string) => (await run('bash', ['-ec', lines], { cwd: ROOT })).stdout
  const main = page.getByRole('main')
  const field = (label: string) => main.getByLabel(label, { exact: true })
  const decideAs = async (...names: string[]) => {
    const approvals = await other('Open the approval page')
    for (const name of names) await approvals.getByRole('button', { name: `Approve as ${name}` }).click()
    return approvals
  }
  try {
    const publicKey = await bash((await linesWith('openssl genpkey')).replaceAll('key.pem', `${folder}/key.pem`))
    await page.goto(`${origin}/mpc/center/wallet/api`)
    await main.getByRole('link', { name: 'Add an API key', exact: true }).click()
    await field('Name').fill('Payouts')
    await field('Purpose').fill('Pays suppliers')
    await field('Public key').fill(publicKey)
    await main.getByLabel('Request withdrawals').check()
    await main.getByLabel('Source addresses').fill('127.0.0.1\n::1')
    await main.getByRole('button', { name: 'Add an asset' }).click()
    await page.getByRole('option', { name: /^ETH · Local network/ }).click()
    await main.getByLabel(/^ETH · Local network in 24 hours/).fill('1')
    await main.getByText('Anyone', { exact: true }).click()
    await main.getByRole('button', { name: 'Add people' }).click()
    await page.getByRole('option', { name: 'Alice Chen' }).click()
    await main.getByRole('button', { name: 'Propose', exact: true }).click()
    await main.getByText('Proposed', { exact: true }).waitFor()
    await (await decideAs('Bruno Diaz', 'Chiara Rossi')).close()
    await page.goto(`${origin}/mpc/center/wallet/api`)
    await main.getByText('On', { exact: true }).waitFor()
    const keyId = /[0-9a-f-]{36}\.payouts/.exec((await main.textContent()) ?? '')?.[0] ?? ''
    await lookAt(page, 'api-page-walk')

    const told = await linesWith('first-withdrawal.ts')
    const lines = put(put(put(told, 'http://localhost:7000', origin), '0199….payouts', keyId), '=key.pem', `=${folder}/key.pem`)
    const first = await bash(lines)
    assert.match(first, /state: 'approving',\s+missing: 1/)
    await page.goto(`${origin}/mpc/center/wallet/todo`)
    const approvals = await other(/^Review and decide: /)
    await approvals.getByRole('button', { name: 'Approve as Alice Chen' }).click()
    await waitUntil(ports, 'the payment of the program', async () => {
      // No oftener than the key may call.
      await sleep(3_000)
      return /status: 2000/.test(await bash(lines)) ? true : undefined
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}
