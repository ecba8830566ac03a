import { Button, DrawerBody, DrawerFooter, TextField, useDrawerPage, useTextForm } from '@holdfast/ui'
import { useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { saveBookGroup } from '../../book-contract.ts'

/** Makes a list of entries. */
export function GroupForm() {
  const { t } = useTranslation('whiteAddress')
  const { close } = useDrawerPage()
  const send = useSend(saveBookGroup)
  const { form, field, submit } = useTextForm({ name: { label: t('personal.name') } }, { name: '' })
  const save = async ({ name }: { name: string }) => {
    if (await send.mutateAsync({ name: name.trim() }).catch(() => undefined)) close()
  }
  return (
    <form ref={form} className="hf-drawer-form" noValidate onSubmit={(event) => submit(event, (given) => void save(given))}>
      <DrawerBody>
        <TextField {...field('name')} count={40} hint={t('book.groupNote')} autoFocus autoComplete="off" />
      </DrawerBody>
      <DrawerFooter>
        <Button variant="primary" type="submit" loading={send.isPending}>
          {t('book.newGroup')}
        </Button>
      </DrawerFooter>
    </form>
  )
}
