import './team.css'
import { getApprovalPages } from '@holdfast/features/approval-page/contract'
import { useSecondFactor } from '@holdfast/features/session/console'
import { Button, DrawerBody, DrawerFooter, Note, SelectField, useDrawerPage } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { makeOwnKeyLink } from '../contract.ts'
import { LinksView } from './links-view.tsx'

/** A link with which the caller makes another approval key: at the page where they have none yet, or at another that they choose. */
export function OwnKeyDrawer({ name }: { name: string }) {
  const { t } = useTranslation('teamMember')
  const { close } = useDrawerPage()
  const second = useSecondFactor()
  const pages = useEndpoint(getApprovalPages, {}).data?.pages ?? []
  const [chosen, choose] = useState<string>()
  const make = useSend(makeOwnKeyLink)
  const page = chosen ?? (pages.find(({ key }) => key === 'none') ?? pages[0])?.origin
  if (make.data) {
    const { url, expires_at } = make.data
    return <LinksView links={{ sign_in_url: null, key_links: [{ page: new URL(url).origin, url }], expires_at }} name={name} opensHere />
  }
  return (
    <>
      <DrawerBody>
        <Note>{t('action.ownKey.note')}</Note>
        {pages.length > 1 && page !== undefined && (
          <SelectField
            label={t('ownKey.page')}
            hint={t('ownKey.pageNote')}
            value={page}
            onChange={choose}
            options={pages.map(({ origin, key }) => ({ value: origin, label: t(`ownKey.at.${key}`, { page: new URL(origin).host }) }))}
          />
        )}
        {second.field}
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('cancel')}</Button>
        <Button
          variant="primary"
          disabled={page === undefined || !second.isReady}
          loading={make.isPending}
          onClick={() => make.mutate({ ...(page === undefined ? {} : { page }), ...second.given })}
        >
          {t('action.ownKey.do')}
        </Button>
      </DrawerFooter>
    </>
  )
}
