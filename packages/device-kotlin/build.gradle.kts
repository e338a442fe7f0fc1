plugins {
    kotlin("jvm") version "2.4.20"
    `maven-publish`
}

group = "org.omi"
version = "0.1.0"

repositories {
    mavenCentral()
}

kotlin {
    compilerOptions {
        jvmTarget = org.jetbrains.kotlin.gradle.dsl.JvmTarget.JVM_17
        allWarningsAsErrors = true
    }
}

java {
    sourceCompatibility = JavaVersion.VERSION_17
    targetCompatibility = JavaVersion.VERSION_17
}

publishing {
    publications {
        create<MavenPublication>("device") { from(components["java"]) }
    }
}
