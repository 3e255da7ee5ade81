/* Set up before each file of unit tests: texts are English, as they are on a page. */
import { i18n } from '@lingui/core'

i18n.loadAndActivate({ locale: 'en', messages: {} })
