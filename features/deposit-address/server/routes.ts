import { AppError } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import type { Network, Networks } from '@holdfast/features/network/server'
import { requireSubWallet } from '@holdfast/features/wallet/server'
import { handle, type HandledEndpoint, requesterIdOf } from '@holdfast/http'
import { announce } from '@holdfast/jobs'
import * as contract from '../contract.ts'
import { depositAddressErrors } from '../errors.ts'
import { depositAddress } from './deposit-address.ts'
import { addDepositComment } from './deposit-comments.ts'
import { listArrivals } from './list-arrivals.ts'
import { exportAddresses } from './listing/export-addresses.ts'
import { listMultiAddresses, listUserAddresses, updateAddressLabel } from './listing/list-addresses.ts'
import { type AddressRequest, listRequests, requestAddresses } from './making/request-addresses.ts'
import { pokeAddresses } from './making/run-addresses.ts'
import { askFaucet } from './test-coins.ts'

/** Whether no contract runs at an address yet; false if there is none or the network cannot tell. Asked outside of any transaction. */
async function isUninitialised(network: Network | undefined, address: string | null): Promise<boolean> {
  return (address !== null && (await network?.node.isUninitialised?.(address).catch(() => false))) || false
}

const nameOf = (networks: Networks, chain: string) => networks.find(chain)?.name ?? chain

function requestView(networks: Networks, { id, chain, addr_type, first, count, made, label, created_at: at }: AddressRequest) {
  return { id, chain, network: nameOf(networks, chain), addr_type, first, count, made, label, created_at: Number(at) }
}

/** Where sub-wallets receive: their addresses, the comments of shared ones, and what people call them. */
export function depositAddressEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, networks, ports } = context
  const nowMs = () => ports.clock.nowMs()
  return [
    handle(
      contract.getDepositAddress,
      async ({ orgId, language }, { sub_wallet_id, chain, symbol }) => {
        const asked = { subWalletId: sub_wallet_id, chain, symbol, language, nowMs: nowMs() }
        const found = await db.asOrganisation(orgId, (tx) => depositAddress(tx, networks, asked))
        return { ...found, is_uninitialised: await isUninitialised(networks.find(chain), found.address) }
      },
      'machines too',
    ),
    handle(contract.listArrivals, async ({ orgId }, { sub_wallet_id: subWalletId, chain, symbol }) => ({
      list: await db.asOrganisation(orgId, (tx) => listArrivals(tx, networks, { subWalletId, chain, symbol, nowMs: nowMs() })),
    })),
    handle(contract.getTestCoins, async ({ orgId, language }, { sub_wallet_id, chain, symbol, amount }) => {
      const asked = { subWalletId: sub_wallet_id, chain, symbol, language, nowMs: nowMs() }
      const { address } = await db.asOrganisation(orgId, (tx) => depositAddress(tx, networks, asked))
      if (address === null) throw new AppError(depositAddressErrors.deposits_closed)
      return askFaucet(ports, networks.require(chain), { address, asset: symbol, amount })
    }),
    handle(
      contract.listUserAddresses,
      ({ orgId, language }, { sub_wallet_id, page_no, page_size, ...filters }) =>
        // What the signers say of an address is asked the first time that it is shown.
        db.asOrganisation(orgId, (tx) =>
          listUserAddresses(tx, networks, { ...filters, subWalletId: sub_wallet_id, page: page_no, pageSize: page_size, language, nowMs: nowMs() }),
        ),
      'machines too',
    ),
    handle(
      contract.createAddresses,
      async ({ orgId, requester, request: key }, { sub_wallet_id, chain, count, label, addr_type: addrType }) => {
        const requesterId = requesterIdOf(requester)
        const asked = { key, requesterId, subWalletId: sub_wallet_id, chain, count, label, addrType }
        const { request, fresh } = await db.asOrganisation(orgId, (tx) => requestAddresses(tx, context, asked))
        pokeAddresses(context)
        return { ...requestView(networks, request), idempotent: !fresh }
      },
      'machines too',
    ),
    handle(contract.listAddressRequests, ({ orgId }, { sub_wallet_id }) =>
      db.readOrganisation(orgId, async (tx) => {
        const [{ list, left }] = await Promise.all([listRequests(tx, sub_wallet_id), requireSubWallet(tx, sub_wallet_id)])
        return { list: list.map((each) => requestView(networks, each)), left: left.map((each) => ({ ...each, network: nameOf(networks, each.chain) })) }
      }),
    ),
    handle(contract.exportAddresses, ({ orgId, language }, { sub_wallet_id: subWalletId, after, ...narrowing }) =>
      db.asOrganisation(orgId, (tx) => exportAddresses(tx, networks, { ...narrowing, subWalletId, after, language, nowMs: nowMs() })),
    ),
    handle(contract.listMultiAddresses, ({ orgId }, { sub_wallet_id, chain, symbol, addr_type, state, page_no, page_size }) =>
      db.asOrganisation(orgId, (tx) =>
        listMultiAddresses(tx, networks, {
          subWalletId: sub_wallet_id,
          chain,
          symbol,
          addrType: addr_type,
          state,
          page: page_no,
          pageSize: page_size,
          nowMs: nowMs(),
        }),
      ),
    ),
    handle(contract.createDepositComment, ({ orgId, language }, { sub_wallet_id, chain, label }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { walletId } = await requireSubWallet(tx, sub_wallet_id)
        const made = await addDepositComment(tx, networks, ports, { subWalletId: sub_wallet_id, chain, label, language })
        await announce(tx, ports, 'wallet.changed', { wallet_id: walletId })
        return made
      }),
    ),
    handle(contract.updateAddressLabel, ({ orgId }, { sub_wallet_id, chain, address, memo, label }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { walletId } = await updateAddressLabel(tx, networks.find(chain), { subWalletId: sub_wallet_id, address, memo: memo ?? null, label })
        await announce(tx, ports, 'wallet.changed', { wallet_id: walletId })
        return {}
      }),
    ),
  ]
}
