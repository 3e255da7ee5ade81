import { Link } from 'react-router-dom'
import { Mark } from '../parts/icons/mark.tsx'
import { AccountSlot } from './account-slot.tsx'
import { AttentionLink } from './attention-link.tsx'
import styles from './header.module.css'
import { HeaderMenu, type HeaderMenuProps } from './header-menu.tsx'
import { MainMenu } from './main-menu.tsx'
import { TeamSlot } from './team-slot.tsx'

export function Header(props: HeaderMenuProps) {
  return (
    <header className={styles['header']}>
      <div className={styles['inner']}>
        <Link to="/machines" className={styles['name']}>
          <Mark />
          <span>Foldboard</span>
        </Link>
        <MainMenu />
        <div className={styles['end']}>
          <TeamSlot />
          <AttentionLink />
          <HeaderMenu {...props} />
          <AccountSlot />
        </div>
      </div>
    </header>
  )
}
