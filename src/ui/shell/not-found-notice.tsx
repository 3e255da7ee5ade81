import { t } from '@lingui/core/macro'
import { Button } from '../parts/actions/button.tsx'
import { Banner } from '../parts/feedback/banner.tsx'

type Props = { readonly path: string; readonly onFind: () => void }

/** What an address named that is no place here. */
export function NotFoundNotice({ path, onFind }: Props) {
  return (
    <Banner
      tone="unknown"
      icon="info"
      actions={<Button isSmall onPress={onFind}>{t`Find a command or a place`}</Button>}
    >
      {t`There is no page at ${path}.`}
    </Banner>
  )
}
