import { TransportError } from '@holdfast/contract'
import { CoinMark, NetworkChip, openTokenMarkDrawer } from '@holdfast/features/network/console'
import { usePermission } from '@holdfast/features/session/console'
import { Address, Button, Command, DrawerBody, DrawerFooter, ErrorState, Facts, LoadingState, Note, Qr, useDrawerPage, useDrawers } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { known } from '@holdfast/units'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { getDepositAddress } from '../contract.ts'
import { Arrivals } from './arrivals.tsx'
import { BounceNote } from './bounce-note.tsx'
import { DepositComment, NewComment } from './deposit-comment.tsx'
import { copyNotice } from './deposit-message.ts'
import type { DepositTarget } from './open-deposit-drawer.tsx'
import { openNewAddresses } from './open-new-addresses.tsx'
import { TestCoins } from './test-coins.tsx'
import { useSelectionStore } from '@holdfast/features/wallet/console'

export const VERIFY_COMMAND = 'npm run recover -- verify --kit <file> --identity <file>'

/** Where to deposit a coin, or why nobody may yet. */
export function DepositDrawer({ walletId, subWallet, chain, symbol }: DepositTarget) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const drawers = useDrawers()
  const mayMark = usePermission('deposit.audit')
  const mayMake = usePermission('address.create')
  const { data, error, failureReason, isPaused, refetch } = useEndpoint(getDepositAddress, { sub_wallet_id: subWallet.id, chain, symbol })
  if (!data) {
    // Said as soon as the first try failed: that more tries are made helps nobody who waits for an address.
    const fault = error ?? failureReason ?? (isPaused ? new TransportError('network', 'this browser has no network') : null)
    return <DrawerBody>{fault ? <ErrorState error={fault} onRetry={() => void refetch()} /> : <LoadingState rows={6} />}</DrawerBody>
  }
  const notice = copyNotice(data)
  const openMark = (contract: string) => openTokenMarkDrawer(drawers, { title: t('network.mark.title', { symbol }), chain, contract, symbol })
  return (
    <>
      <DrawerBody>
        {data.enableDeposit ? (
          <Note tone="warn">{t('depositAddress.only', { symbol: data.symbol, network: data.network })}</Note>
        ) : (
          <Note tone="bad" title={t('depositAddress.closedTitle', { symbol: data.symbol })}>
            {data.text}
          </Note>
        )}
        {data.uneven && <Note tone="bad">{t('depositAddress.uneven', { symbol: data.symbol })}</Note>}
        {data.address !== null && (
          <>
            {data.enableDeposit && (
              <div className="hf-deposit-qr">
                <Qr text={data.payment_link ?? data.address} label={t('depositAddress.qr', { symbol: data.symbol, network: data.network })} size={196} />
              </div>
            )}
            <div className="hf-deposit-address">
              <p className="hf-small hf-muted">{t('depositAddress.address')}</p>
              <Address address={data.address} copyMessage={t(notice.key, notice.values)} copyIsWarning={notice.isWarning} />
            </div>
            {data.is_uninitialised && data.contract_address === null && <BounceNote address={data.address} symbol={data.symbol} />}
            {data.memo !== null && <DepositComment comment={data.memo} />}
            {data.test_coins && <TestCoins subWalletId={subWallet.id} chain={chain} symbol={symbol} />}
            <Arrivals subWalletId={subWallet.id} chain={chain} symbol={symbol} />
          </>
        )}
        {!data.enableDeposit && data.address === null && <HowToOpen walletId={walletId} />}
        <Facts
          facts={[
            {
              label: t('depositAddress.coin'),
              value: (
                <span className="hf-marked">
                  <CoinMark chain={chain} contract={data.contract_address} symbol={data.symbol} size="small" /> {data.symbol}
                </span>
              ),
            },
            { label: t('depositAddress.network'), value: <NetworkChip chain={chain} network={data.network} /> },
            { label: t('depositAddress.into'), value: subWallet.name },
            { label: t('depositAddress.confirmations'), value: t('depositAddress.confirmationsValue', { count: data.confirmations }) },
            data.memo_max === null || data.memo !== null ? undefined : { label: t('depositAddress.memo'), value: t('depositAddress.memoNote'), wide: true },
            data.contract_address === null
              ? undefined
              : { label: t('depositAddress.contract'), value: <Address address={data.contract_address} />, wide: true },
          ]}
        />
        {mayMark && data.contract_address !== null && (
          <div>
            <Button size="small" onClick={() => openMark(known(data.contract_address, 'the contract of the coin'))}>
              {t('network.mark.open')}
            </Button>
          </div>
        )}
      </DrawerBody>
      <DrawerFooter>
        {data.enableDeposit && mayMake && data.memo_max === null && (
          <Button onClick={() => openNewAddresses(drawers, { title: t('depositAddress.make.open'), subWalletId: subWallet.id, chain })}>
            {t('depositAddress.make.open')}
          </Button>
        )}
        {data.enableDeposit && data.memo_max !== null && <NewComment subWalletId={subWallet.id} chain={chain} isFirst={data.memo === null} />}
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
      </DrawerFooter>
    </>
  )
}

function HowToOpen({ walletId }: { walletId: string }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const navigate = useNavigate()
  const store = useSelectionStore()
  const open = () => {
    const { wallet } = store.selection()
    if (wallet?.id !== walletId) store.chooseWallet({ id: walletId, name: wallet?.name ?? '' })
    close()
    void navigate('/mpc/center/wallet?tab=recovery')
  }
  return (
    <section className="hf-stack" aria-labelledby="how-to-open">
      <h3 id="how-to-open">{t('depositAddress.howTitle')}</h3>
      <p className="hf-muted">{t('depositAddress.how')}</p>
      <Command line={VERIFY_COMMAND} />
      <div>
        <Button variant="primary" onClick={open}>
          {t('depositAddress.toRecovery')}
        </Button>
      </div>
    </section>
  )
}
