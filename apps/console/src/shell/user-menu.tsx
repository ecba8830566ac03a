import { FiatField, useFiat } from '@holdfast/features/price/console'
import { useSession, useSignOut, useUserInfo } from '@holdfast/features/session/console'
import { Avatar, closePopup, IconLeave, IconSliders, Popup } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useServices } from '../services-context.ts'
import { LanguageSwitch, ThemeChoices } from './preferences.tsx'

/** Who is signed in, and the way out. On a telephone the language and the appearance are here too. */
export function UserMenu() {
  const { t } = useTranslation()
  const { leave } = useServices()
  const session = useSession()
  const { data } = useUserInfo()
  const signOut = useSignOut(leave)
  const { fiat, choose } = useFiat()
  const name = data?.nick_name ?? session?.session?.name ?? ''
  const role = data?.role ?? session?.session?.role ?? ''
  return (
    <Popup label={t('console.user.menu', { name })} className="hf-header-user" face={<Avatar name={name} size={30} />}>
      <div className="hf-menu">
        <div className="hf-menu-who">
          <p className="hf-signer-name hf-break">{name}</p>
          <p className="hf-small hf-muted">{t(`setup.role.${role}`, { defaultValue: role })}</p>
          {data && <p className="hf-small hf-faint hf-break">{data.account}</p>}
          {data && <p className="hf-small hf-faint hf-break">{data.organisation.name}</p>}
        </div>
        <div className="hf-menu-part hf-phone-only">
          <LanguageSwitch wide />
          <ThemeChoices />
        </div>
        <div className="hf-menu-part">
          <FiatField value={fiat} onChange={choose} />
        </div>
        <Link to="/mpc/settings" className="hf-menu-item" onClick={(event) => closePopup(event.currentTarget)}>
          <IconSliders /> {t('settings.title')}
        </Link>
        <button
          type="button"
          className="hf-menu-item"
          onClick={(event) => {
            closePopup(event.currentTarget)
            void signOut()
          }}
        >
          <IconLeave /> {t('console.user.signOut')}
        </button>
      </div>
    </Popup>
  )
}
