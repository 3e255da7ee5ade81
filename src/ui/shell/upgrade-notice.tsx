import { t } from '@lingui/core/macro'
import { useNavigate } from 'react-router-dom'
import { build } from '../../folding/shared/build.ts'
import { useSystem } from '../hooks/system-context.ts'
import { Button } from '../parts/actions/button.tsx'
import { Banner } from '../parts/feedback/banner.tsx'

/** Says once that the version is new in this browser. */
export function UpgradeNotice() {
  const { updates } = useSystem()
  const navigate = useNavigate()
  const dismiss = (): void => updates.send({ type: 'updates.dismiss' })
  const show = (): void => {
    dismiss()
    void navigate('/help/what-is-new')
  }
  return (
    <Banner
      tone="done"
      icon="info"
      actions={
        <>
          <Button isSmall onPress={show}>
            {t`What is new`}
          </Button>
          <Button isSmall onPress={dismiss}>
            {t`OK`}
          </Button>
        </>
      }
    >
      {t`This is Foldboard ${build.version}.`}
    </Banner>
  )
}
