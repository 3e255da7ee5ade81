import { t } from '@lingui/core/macro'
import { Link } from 'react-router-dom'
import { JournalMenu } from '../journal/journal-menu.tsx'
import { IconButton } from '../parts/actions/button.tsx'
import { Mark } from '../parts/icons/mark.tsx'
import { useConnectionCheck } from '../hooks/use-connection-check.ts'
import { usePageServer } from '../hooks/server-context.ts'
import { useSystem } from '../hooks/system-context.ts'
import { lazyComponent } from '../parts/feedback/lazy-component.tsx'
import { AccountSlot } from './account-slot.tsx'
import { AttentionLink } from './attention-link.tsx'
import styles from './header.module.css'
import { AppearanceMenu } from './appearance-menu.tsx'
import { MainMenu } from './main-menu.tsx'
import { TeamSlot } from './team-slot.tsx'

const ServerMenu = lazyComponent(
  () => import('../server/server-menu.tsx'),
  module => module.ServerMenu,
  t`The menu of the server`,
)

type Props = { readonly onShowShortcuts: () => void; readonly onInspect: () => void }

export const Header = ({ onShowShortcuts, onInspect }: Props) => {
  const { connect } = useSystem()
  const { checkPage } = useConnectionCheck()
  const server = usePageServer()
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
          <div className={styles['tools']}>
            <span className={styles['shortcuts']}>
              <IconButton icon="keyboard" label={t`Keyboard shortcuts`} placement="bottom" onPress={onShowShortcuts} />
            </span>
            <JournalMenu onInspect={onInspect} />
            <AppearanceMenu />
            <IconButton
              icon="connect"
              label={t`Connect to a client`}
              hint={t`Connect to a client (Ctrl+Shift+L)`}
              placement="bottom"
              onPress={() => connect.send({ type: 'connect.ask' })}
            />
            <IconButton icon="help" label={t`Check the connection`} placement="bottom" onPress={checkPage} />
          </div>
          {server === undefined ? undefined : <ServerMenu />}
          <AccountSlot />
        </div>
      </div>
    </header>
  )
}
