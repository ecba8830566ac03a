import { Address, Button, DrawerBody, DrawerFooter, EmptyState, ErrorState, Label, LoadingState, TextFilter, useDrawerPage } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { CoinMark } from '@holdfast/features/network/console'
import { usePermission } from '@holdfast/features/session/console'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { openCoin, searchCoins } from '../../contract.ts'
import { TokenApplications, TokenForm } from './token-form.tsx'

type Network = OutputOf<typeof listOpenCoins>['open_main_chain'][number]

/** The networks whose tokens are contracts that can be added while the chain is read. */
function callable(networks: readonly Network[]): { chain: string; name: string }[] {
  return networks.filter(({ coin_type: type }) => type === 'evm').map(({ chain, network }) => ({ chain, name: network }))
}

/** Finds a coin by its symbol or its contract and puts it on the wallet's list, or takes it off; an unlisted token is requested by its contract. */
export function CoinSearchDrawer({ walletId }: { walletId: string }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const [keyword, setKeyword] = useState('')
  const { data, error, refetch } = useEndpoint(searchCoins, { wallet_id: walletId, keyword }, { keepLast: true })
  const contract = keyword.trim()
  const isContract = /^0x[0-9a-fA-F]{40}$/.test(contract)
  const coins = useEndpoint(listOpenCoins, { wallet_id: walletId })
  const mayAsk = usePermission('wallet.update')
  const send = useSend(openCoin)
  return (
    <>
      <DrawerBody>
        <p className="hf-muted">{t('wallet.coinSearch.note')}</p>
        <TextFilter search value={keyword} label={t('wallet.coinSearch.keyword')} onChange={setKeyword} />
        {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState />)}
        {data?.length === 0 && !isContract && (
          <EmptyState drawing="search" title={t('wallet.coinSearch.none')}>
            {t('wallet.coinSearch.noneNote')}
          </EmptyState>
        )}
        {data?.length === 0 && isContract && mayAsk && <TokenForm key={contract} networks={callable(coins.data?.open_main_chain ?? [])} contract={contract} />}
        {data && data.length > 0 && (
          <ul className="hf-coin-results" aria-label={t('wallet.coinSearch.results')}>
            {data.map((coin) => (
              <li key={`${coin.chain} ${coin.symbol}`}>
                <CoinMark chain={coin.chain} contract={coin.contract_address} symbol={coin.symbol} />
                <div className="hf-coin hf-grow">
                  <span className="hf-coin-symbol">
                    <Label text={coin.symbol} />
                  </span>
                  <span className="hf-coin-network">{coin.network}</span>
                  {coin.contract_address !== null && <Address address={coin.contract_address} />}
                </div>
                {coin.exists && !coin.can_close ? (
                  <span className="hf-small hf-faint">{t('wallet.coinSearch.stays')}</span>
                ) : (
                  <Button
                    size="small"
                    variant={coin.exists ? 'default' : 'primary'}
                    label={t(coin.exists ? 'wallet.coinSearch.removeFor' : 'wallet.coinSearch.addFor', { symbol: coin.symbol })}
                    loading={send.isPending && send.variables?.chain === coin.chain && send.variables.symbol === coin.symbol}
                    onClick={() => send.mutate({ wallet_id: walletId, chain: coin.chain, symbol: coin.symbol, open: !coin.exists })}
                  >
                    {t(coin.exists ? 'wallet.coinSearch.remove' : 'wallet.coinSearch.add')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        <TokenApplications />
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
      </DrawerFooter>
    </>
  )
}
