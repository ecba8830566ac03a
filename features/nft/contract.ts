import { defineEndpoint, idText, pageNumber, pageSize, tokenIdText } from '@holdfast/contract'
import * as z from 'zod'

const pieces = z.string().describe('A whole number of pieces')
const standard = z.enum(['ERC-721', 'ERC-1155'])
const chainText = z.string().max(64)
const contractText = z.string().max(64)
const noPicture = {
  image: z.null().describe('Never loaded: a picture is what a token says of itself, and whoever serves it learns who looks'),
  image_type: z.null(),
  is_video: z.literal(false),
}

export const listNftAssets = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/nft/asset',
  permission: 'wallet.read',
  staleOn: ['deposit.changed', 'balance.changed'],
  summary: 'The collections that count here, with what a sub-wallet holds of each, and those that sent it something unasked',
  input: z.object({ sub_wallet_id: idText, chain: chainText.optional() }),
  output: z.object({
    nft_list: z.array(
      z.object({
        contract_address: z.string(),
        chain: z.string(),
        network: z.string(),
        name: z.string().nullable().describe('As this installation names it; null where nobody here knows the collection'),
        standard,
        image: noPicture.image,
        count: z.int().nullable().describe('Different tokens held; null where nobody here knows the collection'),
        spam: z.boolean().describe('Nobody here knows the collection: it counts nowhere and can be sent nowhere'),
      }),
    ),
  }),
  tenantParameters: ['sub_wallet_id'],
})

export const listNftTokens = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/nft/token_list',
  permission: 'wallet.read',
  staleOn: ['balance.changed'],
  summary: 'The tokens of a collection that a sub-wallet holds, by their number',
  input: z.object({ sub_wallet_id: idText, chain: chainText, contract_address: contractText, page_no: pageNumber, page_size: pageSize }),
  output: z.object({
    pageTotal: z.int(),
    nft_token_list: z.array(
      z.object({
        token_id: z.string(),
        nft_name: z.string(),
        standard,
        ...noPicture,
        amount: pieces.describe('Pieces that can be sent'),
        held: pieces.describe('Pieces promised to orders'),
      }),
    ),
  }),
  tenantParameters: ['sub_wallet_id'],
})

export const getNft = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/nft/info',
  permission: 'wallet.read',
  staleOn: ['balance.changed'],
  summary: 'One token of a collection that counts here, and which sub-wallets of the organisation hold it',
  input: z.object({
    base_symbol: z.string().max(32),
    chain: chainText.optional().describe('Where several networks have a coin of this symbol'),
    contract_address: contractText,
    token_id: tokenIdText,
  }),
  output: z.object({
    base_symbol: z.string(),
    chain: z.string(),
    contract_address: z.string(),
    token_id: z.string(),
    nft_name: z.string(),
    standard,
    ...noPicture,
    owners: z.array(z.object({ sub_wallet_id: z.string(), wallet_name: z.string(), sub_wallet_name: z.string(), amount: pieces })),
  }),
})
