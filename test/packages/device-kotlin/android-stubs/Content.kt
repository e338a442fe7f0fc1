/** The names of Android that `AndroidKey` uses, so that a compiler without the Android SDK reads it. */
package android.content

import android.content.pm.PackageManager

abstract class Context {
    abstract val packageManager: PackageManager
}
