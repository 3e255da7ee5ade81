import { i18n } from '@lingui/core'
import { SOURCE_LOCALE } from '../folding/text/locales.ts'

// For what shows no texts of its own, such as workers: module constants of what it imports may hold some.
i18n.loadAndActivate({ locale: SOURCE_LOCALE, messages: {} })
