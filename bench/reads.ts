import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type CallInput, type Endpoint, formEncode } from '@holdfast/contract'
import { startEmbeddedDatabase } from '@holdfast/db'
import { listTransactions } from '../features/transaction/contract.ts'
import { listCoinAssets, listSubWallets, listWallets } from '../features/wallet/contract.ts'
import { listUserAddresses } from '../features/deposit-address/contract.ts'
import { nodePorts } from '@holdfast/ports/node'
import type { TerminalMember } from '../apps/launcher/src/terminal-member.ts'
import type { FundedOrganisation } from '../test/processes/testing/funded-organisation.ts'
import type { TestStack } from '../test/processes/testing/start-test-stack.ts'
import type { BareRead } from './bare-server.ts'

export const CONNECTIONS = 8
const PAGE_SIZE = 20

/** A call that reads, and the one query that reads the same rows. */
export type Read = { path: string; bare: BareRead }

/** A call with its input, as it is asked for. */
export const pathOf = <E extends Endpoint>(endpoint: E, input: CallInput<E>) => `${endpoint.path}?${formEncode(input as Record<string, unknown>)}`

/** What the pages that everybody opens ask for, by name. */
export function readsOf({ orgId, walletId, subWalletId }: Pick<FundedOrganisation, 'walletId' | 'subWalletId'> & { orgId: string }): Record<string, Read> {
  const page = { page_no: 1, page_size: PAGE_SIZE }
  return {
    wallets: {
      path: pathOf(listWallets, {}),
      bare: {
        values: [orgId],
        text: `select w.id, w.name, w.alias, w.state, w.created_at,
          (select json_agg(s) from (select id, number, name, created_at from sub_wallet s
            where s.org_id = w.org_id and s.wallet_id = w.id order by number limit 5) s) as sub_wallets,
          (select json_agg(h) from (select a.chain, a.contract, sum(a.balance) as amount from sub_wallet s
            join ledger_account a on a.org_id = s.org_id and a.sub_wallet_id = s.id
            where s.org_id = w.org_id and s.wallet_id = w.id group by 1, 2) h) as holdings
          from wallet w where w.org_id = $1 order by w.created_at, w.id`,
      },
    },
    'sub-wallets': {
      path: pathOf(listSubWallets, { wallet_id: walletId, ...page }),
      bare: {
        values: [orgId, walletId],
        text: `select s.id, s.number, s.name, s.hidden, s.created_at, (select json_agg(h) from (select a.chain, a.contract, a.kind, a.balance from ledger_account a
          where a.org_id = s.org_id and a.sub_wallet_id = s.id) h) as holdings
          from sub_wallet s where s.org_id = $1 and s.wallet_id = $2 order by s.number limit ${PAGE_SIZE}`,
      },
    },
    coins: {
      path: pathOf(listCoinAssets, { sub_wallet_id: subWalletId }),
      bare: {
        values: [orgId, subWalletId],
        text: `select chain, contract, kind, balance from ledger_account where org_id = $1 and sub_wallet_id = $2`,
      },
    },
    addresses: {
      path: pathOf(listUserAddresses, { sub_wallet_id: subWalletId, ...page }),
      bare: {
        values: [orgId, subWalletId],
        text: `select chain, address, label, path, created_at from address where org_id = $1 and sub_wallet_id = $2 order by chain, created_at limit ${PAGE_SIZE}`,
      },
    },
    transactions: {
      path: pathOf(listTransactions, page),
      bare: {
        values: [orgId],
        text: `select * from (
          (select 'withdraw' as type, id, chain, contract, symbol, amount, address_from, address_to, state, sub_status, txid, fee_paid, created_at, updated_at
            from transfer_order where org_id = $1 order by created_at desc, id desc limit ${PAGE_SIZE})
          union all
          (select 'deposit', id, chain, contract, symbol, amount, from_address, address, state, sub_status, txid, null, created_at, updated_at
            from deposit where org_id = $1 order by created_at desc, id desc limit ${PAGE_SIZE})) t order by created_at desc, id desc limit ${PAGE_SIZE}`,
      },
    },
  }
}

/** The database of a stack. It is joined, not started: it goes on when this is stopped. */
export const databaseOf = ({ settings }: Pick<TestStack, 'settings'>) => startEmbeddedDatabase({ ports: nodePorts, folder: `${settings.folder}/database` })

/** Starts the bare server for some reads. */
export async function startBareServer(url: string, reads: Record<string, Read>): Promise<{ urlOf(name: string): string; stop(): void }> {
  const bare = Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, read.bare]))
  const child = spawn('node', [new URL('bare-server.ts', import.meta.url).pathname, url, JSON.stringify(bare)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return { urlOf: (name) => `http://127.0.0.1:${Number(port)}/${name}`, stop: () => void child.kill() }
}

/** USER_HZ of Linux is 100. */
const CLOCK_TICK_MS = 10

/** Processor time that processes have taken so far. */
export const cpuMs = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) * CLOCK_TICK_MS
  }, 0)

type Asked = { url: string; headers: Record<string, string> }

/** Asks for an address over some connections, as often as there is time for, and says how many times a second. Throws where an answer is none. */
export const rateOf = (url: string, headers: Record<string, string>, forMs: number): Promise<number> => rateOfCalls(() => ({ url, headers }), forMs)

/** The same of calls that differ, until there is none left; what `next` waits for counts as time. */
export async function rateOfCalls(next: () => Asked | undefined | Promise<Asked | undefined>, forMs: number): Promise<number> {
  const started = performance.now()
  let count = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let asked = await next(); asked && performance.now() - started < forMs; asked = await next()) {
        const { url, headers } = asked
        const response = await fetch(url, { headers })
        const answer = (await response.json()) as { code?: string }
        if (!response.ok || (answer.code ?? '0') !== '0') throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`)
        count++
      }
    }),
  )
  return count / ((performance.now() - started) / 1000)
}

/** The address of a call of the product, and the headers that let a member make it. */
export function productCall({ client }: Pick<TerminalMember, 'client'>, path: string): { url: string; headers: Record<string, string> } {
  const { url, init } = client.request('GET', path)
  return { url, headers: init.headers }
}
