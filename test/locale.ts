/* Texts of tests are English, as they are on a page. */
import { i18n } from '@lingui/core'

i18n.loadAndActivate({ locale: 'en', messages: {} })
