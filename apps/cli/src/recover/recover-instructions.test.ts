import { decode, encode, toHex } from '@holdfast/encoding'
import { LOCALES } from '@holdfast/intent'
import { PROTOCOLS } from '@holdfast/mpc'
import { recipientFingerprint } from '@holdfast/policy'
import { kitHash, kitInstructions, recoveryKitShape } from '@holdfast/protocol'
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { familiesOf, networkOf } from './networks.ts'
import type { Identity } from './recovery-identity.ts'
import { RECOVERY_WORDS } from './recovery-words.ts'
import { readSweepPlan } from '../sweep/sweep-plan.ts'
import { makeKit, newOfficer, sealShare } from '../testing/make-kit.ts'
import { runCli } from '../testing/run-cli.ts'
import { dealShares, foundOrganisation } from '../testing/test-organisation.ts'

const HOSTILE = 'Acme <img src=x onerror=alert(1)> & "Sons"\u202e'
const acme = foundOrganisation(HOSTILE)
const { shares } = dealShares(acme)

describe('the page to print that goes with a kit', () => {
  let folder = ''
  let kit = new Uint8Array()
  let page = ''
  const officers: Identity[][] = []
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'instructions-'))
    for (let i = 0; i < 2; i++) officers.push(await Promise.all([0, 1, 2].map((j) => newOfficer(`officer-${i}-${j}`))))
    const recipients = officers.map((group) => group.map(({ recipient }) => recipient))
    kit = new Uint8Array(
      makeKit(acme, shares[0]!, [await sealShare(acme, shares[0]!, recipients[0]!, undefined, 2), await sealShare(acme, shares[1]!, recipients[1]!)]),
    )
    await writeFile(join(folder, 'acme.kit'), kit)
    assert.equal((await runCli('recover', 'instructions', '--kit', join(folder, 'acme.kit'), '--out', join(folder, 'page.html'))).code, 0)
    page = await readFile(join(folder, 'page.html'), 'utf8')
  })
  after(() => rm(folder, { recursive: true }))

  const textOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))

  it('says in both languages whose kit it is, who opens which share and how many of them', () => {
    const text = textOf(page)
    const flat = text.replaceAll(' ', '')
    for (const part of [toHex(acme.fingerprint), toHex(acme.keyId), toHex(kitHash(decode(recoveryKitShape, kit)))]) {
      assert.equal(flat.split(part).length - 1 >= 2, true, part)
    }
    for (const { recipient } of officers.flat()) assert.equal(text.split(recipientFingerprint(recipient)).length - 1, 2)
    for (const part of ['2 of these 3 open it', '1 of these 3 open it', 'not in this kit', '3 名负责人中的 2 名可打开', '不在此恢复包中', 'acme.kit']) {
      assert.ok(text.includes(part), part)
    }
  })

  it('explains every verdict the tool can give, in the very words it gives', () => {
    const text = textOf(page)
    for (const locale of LOCALES) {
      const words = RECOVERY_WORDS[locale]
      // The page names verdicts of one kind together: CORRUPT, WRONG and so on, in capitals or before a colon.
      const verdicts = [...Object.values(words.faults), words.good, words.locked, words.officer.damaged, words.officer['other-kit']]
      for (const verdict of verdicts) {
        const head = verdict.split(/[:：;，]| from | to /)[0]!
        assert.ok(text.includes(head) || text.includes(verdict), `${locale}: ${verdict}`)
      }
    }
  })

  it('shows names as they are and lets them arrange nothing', () => {
    assert.doesNotMatch(page, /<img|\u202e|<script/)
    assert.ok(textOf(page).includes('Acme <img src=x onerror=alert(1)> & "Sons"⟨U+202E⟩'))
  })

  it('gives commands and a plan that the tool takes', async () => {
    const commands = [...page.matchAll(/<pre>([^]*?)<\/pre>/g)].map(([, body]) => textOf(body!))
    for (const { path, secret } of officers.flat()) await writeFile(join(folder, path), secret)
    const plan = commands.find((each) => each.startsWith('{'))!
    assert.throws(() => readSweepPlan(plan).fields.done(), /maxFeePerGas/, 'the plan is read; what its network needs is for the network to read')
    const line = commands.find((each) => each.includes(' verify '))!
    const own: Record<string, string> = {
      'acme.kit': join(folder, 'acme.kit'),
      drill: join(folder, 'drill'),
      'officer-1.txt': join(folder, 'officer-0-0'),
      'officer-2.txt': join(folder, 'officer-0-2'),
    }
    const args = line.replace(/\\\n/g, ' ').split(/\s+/).slice(2)
    const { code, err, out } = await runCli('recover', ...args.map((each) => own[each] ?? each), '--identity', join(folder, 'officer-1-1'))
    assert.equal(code, 1, 'the kit lacks a share, and the drill says so')
    assert.match(out, /The key was rebuilt/)
    assert.match(err, /NOT sound/)
  })

  it('has a plan for every family of networks that the tool can empty, in both languages', () => {
    const commands = [...page.matchAll(/<pre>([^]*?)<\/pre>/g)].map(([, body]) => textOf(body!))
    const planned = commands.filter((each) => each.startsWith('{')).map((each) => readSweepPlan(each).chain)
    const families = new Set(PROTOCOLS.flatMap(familiesOf))
    assert.deepEqual(new Set(planned.map((chain) => networkOf(chain)?.family)), families)
    assert.equal(planned.length, LOCALES.length * families.size)
  })

  it('is made of a kit and of nothing else', async () => {
    await writeFile(join(folder, 'no-kit'), Uint8Array.of(8, 8, 8))
    assert.equal((await runCli('recover', 'instructions', '--kit', join(folder, 'no-kit'), '--out', join(folder, 'none.html'))).code, 1)
    assert.equal((await runCli('recover', 'instructions', '--kit', join(folder, 'acme.kit'), '--out', join(folder, 'page.html'))).code, 2)
    assert.equal((await runCli('recover', 'instructions', '--kit', join(folder, 'acme.kit'))).code, 2)
    const other = encode(recoveryKitShape, { ...decode(recoveryKitShape, kit), genesisRecord: Uint8Array.of(1) })
    assert.throws(() => kitInstructions(other, 'x'))
  })
})
