import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { listTodo } from '@holdfast/features/proposal/contract'
import { decideClaim } from '@holdfast/features/deposit/contract'
import { getKeyChange } from '@holdfast/features/key-recovery/contract'
import { getPolicy, getSigningState } from '@holdfast/features/policy/contract'
import { getEvidence } from '@holdfast/features/evidence/contract'
import { getDeposit } from '@holdfast/features/transaction/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { depositFromFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_BITCOIN, LOCAL_CHAIN, LOCAL_TON, LOCAL_TRON } from '../../apps/launcher/src/local-settings.ts'
import { type OrderDetail, orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { runToEnd } from '../../apps/launcher/src/run-to-end.ts'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { contractEndpoints, servedEndpoints } from '../processes/testing/all-endpoints.ts'
import { freshOnBitcoin, freshOnTon, freshOnTron } from '../processes/testing/fresh-addresses.ts'
import { localChain } from '../processes/testing/local-chain.ts'
import { assertLedger } from '../processes/testing/read-ledger.ts'
import type { TestStack } from '../processes/testing/start-test-stack.ts'
import { asEveryReleaseSays, askAs, missingOf } from './record-answers.ts'
import { openRelease, STORED, type StoredRelease } from './release-file.ts'

const ETH = 10n ** 18n

const releases = globSync('*.tar.gz', { cwd: STORED }).sort()

it('is tried with at least one release', () => assert.ok(releases.length > 0))

for (const name of releases)
  describe(`what release ${name.replace('.tar.gz', '')} left`, () => {
    let stored: StoredRelease
    let stack: TestStack
    let alice: TerminalMember
    let bruno: TerminalMember
    let chiara: TerminalMember

    before(async () => {
      stored = openRelease(`${STORED}${name}`)
      const started = await stored.start(stored.facts.stoppedAtMs)
      stack = started.stack
      ;[alice, bruno, chiara] = started.people
    })
    after(async () => {
      await stack?.dispose()
      stored?.dispose()
    })

    const waitingFor = async (member: TerminalMember) => (await member.client.call(listTodo, { state: 'wait' })).list

    /** Decides as a person does: finds what waits, and follows the link to the approval page. */
    async function approve(member: TerminalMember, id: string): Promise<void> {
      const item = (await waitingFor(member)).find((each) => each.item_id === id)
      assert.ok(item, `${id} does not wait for ${member.name}`)
      await member.decide(item.approval_url.split('/').at(-1)!, 'approve')
    }

    /** What a command of the product says without a server. */
    function offline(what: string, ...args: string[]): Promise<string> {
      const { root, folder } = stack.settings
      return runToEnd(ports, [`${root}/apps/cli/src/main.ts`, ...args], { cwd: root, logPath: `${folder}/logs/${what}.log`, what: args[0]! })
    }

    const verify = (path: string) => offline(`verify-${basename(path)}`, 'verify-evidence', path, '--fingerprint', stored.facts.fingerprint)

    async function evidenceOf(id: string): Promise<Buffer> {
      return Buffer.from((await alice.client.call(getEvidence, { id })).bundle, 'base64')
    }

    /** Waits until an order is paid and final, with evidence that holds offline. */
    async function paid(id: string): Promise<OrderDetail> {
      const detail = await waitUntilPaid(ports, alice, { id })
      const path = `${stack.settings.folder}/evidence-${id}`
      writeFileSync(path, await evidenceOf(id))
      assert.match(await verify(path), /signed by/i)
      return detail
    }

    it('is told as it was, call by call', async () => {
      const served = await servedEndpoints(stack.settings)
      const gone = stored.facts.calls.filter((call) => !served.includes(call))
      assert.deepEqual(gone, [])
      // What has an effect is asked once at most, and answers of what it did.
      const effects = new Set((await contractEndpoints()).flatMap(({ path, hasEffect }) => (hasEffect ? [path] : [])))
      const reads = stored.answers.filter(({ path }) => !effects.has(path))
      let missing: string[] = []
      // The networks are read from where they were left: what the chains say comes after the start.
      await waitUntil(ports, 'the answers of before', async () => {
        const each = reads.map(async (earlier) => {
          const today = await askAs(alice, stack.settings, earlier)
          return missingOf(asEveryReleaseSays(earlier.path, earlier.data), asEveryReleaseSays(earlier.path, today), earlier.path)
        })
        missing = (await Promise.all(each)).flat()
        return missing.length === 0 ? true : undefined
      }).catch(() => assert.deepEqual(missing, []))
    })

    it('holds offline: evidence, the same as the server has, and a recovery kit that still rebuilds its key', async () => {
      assert.match(await verify(stored.evidencePath), /signed by/i)
      assert.deepEqual(await evidenceOf(stored.facts.ids.paidId!), readFileSync(stored.evidencePath))
      const identities = [1, 2].flatMap((party) => ['--identity', `${stack.settings.folder}/recovery-demo/identity-${party}.txt`])
      await offline('recover', 'recover', 'verify', '--kit', stored.kitPath, ...identities, '--out', `${stack.settings.folder}/proof`)
    })

    it('waits, of every kind that people decide, for whoever has not decided', async () => {
      const { waitingId, halfId, payoutId, changeId, keyChangeId, absenceId, claimId } = stored.facts.ids
      const waiting = (await waitingFor(chiara)).map(({ item_id: id, kind, node }) => [id, `${kind}, ${node.done} of ${node.need}`])
      assert.deepEqual(Object.fromEntries(waiting), {
        [waitingId!]: 'transfer, 0 of 2',
        [halfId!]: 'transfer, 1 of 2',
        [payoutId!]: 'transfer, 1 of 2',
        [changeId!]: 'policy_change, 1 of 2',
        [keyChangeId!]: 'key_change, 1 of 2',
        [absenceId!]: 'signer_order, 1 of 2',
        [claimId!]: 'deposit_claim, 0 of 1',
      })
    })

    it('is paid: orders that were approved by nobody, and by one', async () => {
      const { waitingId, halfId, payoutId } = stored.facts.ids
      for (const id of [halfId!, payoutId!, waitingId!]) await approve(chiara, id)
      await approve(bruno, waitingId!)
      const [half, waiting] = await Promise.all([halfId!, waitingId!, payoutId!].map(paid))
      const approvers = half!.approvers.flatMap(({ state, person_id: id }) => (state === 'approved' ? [id] : []))
      assert.deepEqual(approvers.sort(), [bruno, chiara].map(({ personId }) => personId).sort())
      const { balanceOf } = localChain(stack.settings)
      assert.deepEqual([await balanceOf(half!.address_to), await balanceOf(waiting!.address_to)], [ETH / 4n, ETH / 10n])
    })

    it('is credited: a held payment of which one person had said whose it is', async () => {
      const { claimId, heldId } = stored.facts.ids
      assert.deepEqual(await bruno.client.call(decideClaim, { claim_id: claimId!, result: 'confirm' }), { credited: true })
      const { claims } = await alice.client.call(getDeposit, { id: heldId! })
      assert.deepEqual(claims.map(({ state }) => state).sort(), ['confirmed', 'refused'])
    })

    it('is decided: new shares of a key, that a signer is away, and the next version of the policy', async () => {
      const { keyChangeId, absenceId, changeId } = stored.facts.ids
      await approve(chiara, keyChangeId!)
      await waitUntil(ports, 'the new shares', async () =>
        (await alice.client.call(getKeyChange, { id: keyChangeId! })).state === 'active' ? true : undefined,
      )
      await approve(chiara, absenceId!)
      await waitUntil(ports, 'the absence', async () => {
        const { orders } = await alice.client.call(getSigningState, {})
        return orders.find(({ id }) => id === absenceId)?.state === 'followed' ? true : undefined
      })
      await approve(chiara, changeId!)
      await waitUntil(ports, 'version 3', async () => ((await alice.client.call(getPolicy, {})).version === 3 ? true : undefined))
      assert.deepEqual(
        (await alice.client.call(getPolicy, {})).rules[0]!.initiators.map((each) => each.person_id),
        [alice.personId],
      )
    })

    it('goes on: takes deposits in, pays what is asked for from now on, on every chain, and its ledger is whole', async () => {
      const { tonSubWalletId } = stored.facts.ids
      const subWalletId = stored.facts.ids.subWalletId!
      const to = freshAddress()
      await depositFromFaucet(ports, stack.settings, alice, { subWalletId, symbol: 'ETH', amount: '2' })
      const payments = [
        { subWalletId, chain: LOCAL_CHAIN, symbol: 'ETH', amount: '1', to },
        { subWalletId, chain: LOCAL_BITCOIN, symbol: 'BTC', amount: '0.1', to: freshOnBitcoin() },
        { subWalletId, chain: LOCAL_TRON, symbol: 'TRX', amount: '50', to: freshOnTron() },
        { subWalletId: tonSubWalletId!, chain: LOCAL_TON, symbol: 'TON', amount: '2', to: freshOnTon() },
      ]
      await Promise.all(
        payments.map(async (payment) => {
          const { id } = await orderPayment(ports, alice, payment)
          for (const member of [bruno, chiara]) await approve(member, id)
          await paid(id)
        }),
      )
      assert.equal(await localChain(stack.settings).balanceOf(to), ETH)
      await assertLedger(stack)
    })
  })
