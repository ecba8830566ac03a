import { AppError } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { announce } from '@holdfast/jobs'
import { PROTOCOLS, signatureKindOf } from '@holdfast/mpc'
import { known } from '@holdfast/units'
import * as contract from '../contract.ts'
import { applyForToken, describeNewToken, listApplications, refuseToken } from './apply-for-token.ts'
import { archiveWallet } from './archive-wallet.ts'
import { balanceHistory } from './balance-history.ts'
import { focusLimit, focusSymbol, listFocusCoins } from './coin-focus.ts'
import { createSubWallet, createWallet } from './create-wallet.ts'
import { addKey, nextStep, pokeKeys, readKeysInMaking, type WalletKeyRow } from '@holdfast/features/key/server'
import { protocolsFor } from '@holdfast/features/network/server'
import { listCoinAssets, symbolBalance } from './list-coin-assets.ts'
import { listAllSubWallets, listSubWalletBalances, listSubWallets, requireSubWallet, requireWallet, updateShowStatus } from './list-sub-wallets.ts'
import { listFlows } from './list-flows.ts'
import { listWallets } from './list-wallets.ts'
import { openCoin, searchCoins } from './open-coin.ts'
import { pinWallet } from './pin-wallet.ts'
import { listUnverified } from './unverified.ts'
import { updateAlias } from './update-alias.ts'

/** Wallets: their keys, their sub-wallets and their holdings. */
export function walletEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, networks, ports } = context
  const nowMs = () => ports.clock.nowMs()
  return [
    handle(contract.listWallets, ({ orgId, personId, language }, { type, need_stat, archived, fiat }) =>
      db.readOrganisation(orgId, (tx) =>
        listWallets(tx, networks, { type, needStat: need_stat === 1, isArchived: archived === true, personId, nowMs: nowMs(), fiat, language }),
      ),
    ),
    handle(contract.createWallet, async ({ orgId, personId, request }, { wallet_name, key_kind }) => {
      const protocols = key_kind === undefined ? protocolsFor(networks) : PROTOCOLS.filter((each) => signatureKindOf(each) === key_kind)
      const wanted = { key: request, name: wallet_name, protocols }
      const { walletId, fresh } = await db.asOrganisation(orgId, (tx) => createWallet(tx, { personId, ports }, wanted))
      pokeKeys(context)
      return { wallet_id: walletId, idempotent: !fresh }
    }),
    handle(contract.addWalletKey, async ({ orgId }, { wallet_id, key_kind }) => {
      const protocol = known(
        PROTOCOLS.find((each) => signatureKindOf(each) === key_kind),
        'the protocol of a kind of key',
      )
      await db.asOrganisation(orgId, (tx) => addKey(tx, context, { walletId: wallet_id, protocol }))
      pokeKeys(context)
      return {}
    }),
    handle(contract.getWalletProgress, ({ orgId }, { wallet_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const keys = await readKeysInMaking(tx, wallet_id)
        if (keys.length === 0) throw new AppError('wallet_not_found')
        return progressView(keys, context.coSigners.online())
      }),
    ),
    handle(contract.updateAlias, ({ orgId }, { wallet_id, sub_wallet_id, alias }) =>
      db.asOrganisation(orgId, async (tx) => {
        await updateAlias(tx, { walletId: wallet_id, subWalletId: sub_wallet_id, alias, nowMs: nowMs() })
        await announce(tx, ports, 'wallet.changed', { wallet_id })
        return {}
      }),
    ),
    handle(contract.archiveWallet, ({ orgId }, { wallet_id, archived }) =>
      db.asOrganisation(orgId, async (tx) => {
        await archiveWallet(tx, networks, { walletId: wallet_id, isArchived: archived, nowMs: nowMs() })
        await announce(tx, ports, 'wallet.changed', { wallet_id })
        return {}
      }),
    ),
    handle(contract.updateTop, ({ orgId, personId }, { wallet_id, sub_wallet_id, top }) =>
      db.asOrganisation(orgId, async (tx) => {
        await pinWallet(tx, { personId, walletId: wallet_id, subWalletId: sub_wallet_id, pinned: top, nowMs: nowMs() })
        return {}
      }),
    ),
    handle(contract.getBalanceHistory, ({ orgId, language }, { wallet_id, sub_wallet_id, range, fiat }) =>
      db.asOrganisation(orgId, async (tx) => {
        if (sub_wallet_id !== undefined) await requireSubWallet(tx, sub_wallet_id, wallet_id)
        else if (wallet_id !== undefined) await requireWallet(tx, wallet_id)
        return balanceHistory(tx, networks, { walletId: wallet_id, subWalletId: sub_wallet_id, range, nowMs: nowMs(), fiat, language })
      }),
    ),
    handle(contract.listFlows, ({ orgId, language }, { sub_wallet_id, range, fiat }) => {
      const asked = { subWalletId: sub_wallet_id, range, nowMs: nowMs(), fiat, language }
      return db.asOrganisation(orgId, async (tx) => {
        if (sub_wallet_id !== undefined) await requireSubWallet(tx, sub_wallet_id)
        return listFlows(tx, networks, asked)
      })
    }),
    ...subWalletEndpoints(context),
    ...coinEndpoints(context),
  ]
}

function subWalletEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, networks, ports } = context
  const nowMs = () => ports.clock.nowMs()
  return [
    handle(contract.listSubWallets, ({ orgId, personId, language }, input) =>
      db.readOrganisation(orgId, (tx) =>
        listSubWallets(tx, networks, {
          walletId: input.wallet_id,
          personId,
          page: input.page_no,
          pageSize: input.page_size,
          keyword: input.keyword ?? '',
          status: input.app_show_status,
          nowMs: nowMs(),
          fiat: input.fiat,
          language,
        }),
      ),
    ),
    handle(contract.listAllSubWallets, ({ orgId }, { wallet_id }) => db.asOrganisation(orgId, (tx) => listAllSubWallets(tx, wallet_id))),
    handle(contract.listSubWalletBalances, ({ orgId, language }, { wallet_id, sub_wallet_ids, fiat }) =>
      db.asOrganisation(orgId, (tx) => listSubWalletBalances(tx, networks, { walletId: wallet_id, ids: sub_wallet_ids, nowMs: nowMs(), fiat, language })),
    ),
    handle(
      contract.updateShowStatus,
      ({ orgId }, { wallet_id, sub_wallet_ids, app_show_status }) =>
        db.asOrganisation(orgId, async (tx) => {
          const answer = await updateShowStatus(tx, { walletId: wallet_id, ids: sub_wallet_ids, status: app_show_status })
          await announce(tx, ports, 'wallet.changed', { wallet_id })
          return answer
        }),
      'machines too',
    ),
    handle(
      contract.createSubWallet,
      async ({ orgId, request }, input) => {
        const asked = { key: request, walletId: input.wallet_id, name: input.sub_wallet_name }
        const { subWalletId, fresh } = await db.asOrganisation(orgId, (tx) => createSubWallet(tx, { ports }, asked))
        pokeKeys(context)
        return { sub_wallet_id: subWalletId, idempotent: !fresh }
      },
      'machines too',
    ),
  ]
}

function coinEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, networks, ports } = context
  const nowMs = () => ports.clock.nowMs()
  return [
    handle(
      contract.listCoinAssets,
      ({ orgId, requester, language }, { sub_wallet_id, base_symbol, fiat }) => {
        const personId = 'personId' in requester ? requester.personId : null
        const asked = { subWalletId: sub_wallet_id, personId, baseSymbol: base_symbol, nowMs: nowMs(), fiat, language }
        return db.readOrganisation(orgId, (tx) => listCoinAssets(tx, networks, asked))
      },
      'machines too',
    ),
    handle(contract.listUnverified, ({ orgId }, { sub_wallet_id }) => db.asOrganisation(orgId, (tx) => listUnverified(tx, networks, sub_wallet_id))),
    handle(contract.getSymbolBalance, ({ orgId }, { sub_wallet_id, chain, symbol }) =>
      db.asOrganisation(orgId, (tx) => symbolBalance(tx, networks, { subWalletId: sub_wallet_id, chain, symbol })),
    ),
    handle(contract.listFocusCoins, ({ orgId, personId }, { sub_wallet_id }) =>
      db.asOrganisation(orgId, (tx) => listFocusCoins(tx, networks, { personId, subWalletId: sub_wallet_id })),
    ),
    handle(contract.checkFocusLimit, ({ orgId, personId }, { sub_wallet_id }) =>
      db.asOrganisation(orgId, (tx) => focusLimit(tx, { personId, subWalletId: sub_wallet_id })),
    ),
    handle(contract.focusSymbol, ({ orgId, personId }, { sub_wallet_id, chain, symbol, focus }) =>
      db.asOrganisation(orgId, (tx) => focusSymbol(tx, networks, { personId, subWalletId: sub_wallet_id, chain, symbol, focus: focus === 1, nowMs: nowMs() })),
    ),
    handle(contract.searchCoins, ({ orgId }, { wallet_id, keyword, base_symbol }) =>
      db.asOrganisation(orgId, (tx) => searchCoins(tx, networks, { walletId: wallet_id, keyword, baseSymbol: base_symbol })),
    ),
    handle(contract.checkToken, async (_, { chain, contract_address }) => {
      const { contract: address, listedAs, ...token } = await describeNewToken(context, { chain, contract: contract_address })
      return { ...token, network: networks.require(chain).name, contract_address: address, listed_as: listedAs }
    }),
    handle(contract.applyForToken, async ({ orgId, personId }, { chain, contract_address, reason, from_height }) => {
      const token = await describeNewToken(context, { chain, contract: contract_address })
      const fromHeight = from_height === undefined ? null : BigInt(from_height)
      return { id: await db.asOrganisation(orgId, (tx) => applyForToken(tx, context, { token, reason, fromHeight, personId })), audit_status: 0 as const }
    }),
    handle(contract.refuseToken, async ({ orgId, personId }, { id, reason }) => {
      await db.asOrganisation(orgId, (tx) => refuseToken(tx, context, { id, reason: reason.trim(), personId }))
      return { audit_status: 2 as const }
    }),
    handle(contract.listTokenApplications, ({ orgId }) => db.asOrganisation(orgId, (tx) => listApplications(tx, networks))),
    handle(contract.openCoin, ({ orgId }, { wallet_id, chain, symbol, open }) =>
      db.asOrganisation(orgId, async (tx) => {
        const answer = await openCoin(tx, networks, { walletId: wallet_id, chain, symbol, open, nowMs: nowMs() })
        await announce(tx, ports, 'wallet.changed', { wallet_id })
        return answer
      }),
    ),
  ]
}

/** How far the keys of a wallet are. At the top stands the one that is being made, or the last of them. */
function progressView(keys: readonly WalletKeyRow[], online: readonly number[]) {
  const present = known(keys.find(({ progress }) => nextStep(progress)) ?? keys.at(-1), 'the key that is being made')
  const away = present.walletState === 'creating' || present.isAdded ? [1, 2, 3].filter((party) => !online.includes(party)) : []
  const { steps, reason } = present.progress
  return {
    state: progressState(present),
    steps,
    reason,
    away,
    keys: keys.map((key) => ({ key_kind: signatureKindOf(key.protocol), state: progressState(key), steps: key.progress.steps })),
  }
}

function progressState({ walletState, isAdded, keyState, progress }: WalletKeyRow) {
  const step = nextStep(progress)
  if (step === undefined) return 'ready' as const
  if (walletState === 'failed' || (isAdded && keyState === 'failed')) return 'failed' as const
  if (step === 'generate') return 'generating' as const
  return step.startsWith('setup') ? ('setting_up' as const) : ('backing_up' as const)
}
