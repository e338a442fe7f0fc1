package android.content.pm

abstract class PackageManager {
    abstract fun hasSystemFeature(name: String): Boolean

    companion object {
        const val FEATURE_STRONGBOX_KEYSTORE = "android.hardware.strongbox_keystore"
    }
}
