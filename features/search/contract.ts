import { defineEndpoint, keywordText } from '@holdfast/contract'
import { transactionKind } from '@holdfast/features/transaction/contract'
import * as z from 'zod'

const place = z.object({ wallet_id: z.string(), wallet_name: z.string(), sub_wallet: z.object({ id: z.string(), name: z.string() }).nullable() })

export const search = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/search',
  permission: 'member',
  staleOn: [],
  summary: 'What a word is about, of all that the caller may see: transactions by id, hash or remark, addresses, contacts, members, wallets and sub-wallets',
  input: z.object({ keyword: keywordText }),
  output: z.object({
    transactions: z.array(
      z.object({
        id: z.string(),
        type: transactionKind,
        purpose: z.enum(['pay', 'speed_up', 'cancel']),
        symbol: z.string(),
        amount: z.string(),
        network: z.string(),
        wallet_name: z.string(),
        sub_wallet_name: z.string(),
        other: z.string().nullable().describe('The address on the other side, or its name'),
        remark: z.string(),
        txid: z.string().nullable(),
        status: z.int(),
        sub_status: z.string(),
        created_at: z.int(),
      }),
    ),
    addresses: z.array(z.object({ address: z.string(), kind: z.enum(['own', 'paid', 'sender']), place: place.nullable() })),
    contacts: z.array(z.object({ id: z.string(), name: z.string(), address: z.string(), network: z.string() })),
    members: z.array(z.object({ user_id: z.string(), name: z.string(), role: z.string() })),
    wallets: z.array(place),
  }),
})
