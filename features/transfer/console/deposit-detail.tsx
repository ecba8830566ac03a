import { Button, DrawerBody, DrawerFooter, ErrorState, LoadingState, Note, useDrawerPage, useEndpoint } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { getDeposit } from '../contract.ts'
import { SuspiciousNote } from './guarded-address.tsx'
import { HeldPayment } from './held-payment.tsx'
import { PaymentFacts } from './payment-facts.tsx'
import { MarkButton, ReceiptButton, Standing } from './record-parts.tsx'
import { Story } from './story.tsx'

/** One deposit whole, and whose it is where it is held. */
export function DepositDetail({ id }: { id: string }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const { data, error, refetch } = useEndpoint(getDeposit, { id })
  return (
    <>
      <DrawerBody>
        {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={10} />)}
        {data && (
          <>
            <Standing row={data} />
            <HeldPayment deposit={data} />
            <SuspiciousNote row={data} />
            {data.sub_status === 'reorged' && <Note tone="bad">{t('transfer.subStatus.reorged')}</Note>}
            <div className="hf-order-columns">
              <section aria-labelledby="deposit-facts">
                <h3 id="deposit-facts">{t('transfer.detail.payment')}</h3>
                <PaymentFacts row={data} />
              </section>
              <section aria-labelledby="deposit-story">
                <h3 id="deposit-story">{t('transfer.detail.story')}</h3>
                <Story row={data} />
              </section>
            </div>
          </>
        )}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
        {data && <ReceiptButton row={data} />}
        {data && <MarkButton row={data} />}
      </DrawerFooter>
    </>
  )
}
