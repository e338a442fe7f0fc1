import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import java.io.File;
import java.io.OutputStream;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * DynamoDB Local as the stack wants it: on loopback only, on a port the kernel chooses and this program
 * prints, and gone when standard input ends, so that a killed parent leaves no orphan. DynamoDB Local
 * itself binds every interface and offers no option for it, hence the reflection. The folder for temporary files is
 * for this program alone, and goes with it: SQLite leaves a library there.
 */
class LoopbackDynamoDb {
  public static void main(String[] arguments) throws Exception {
    var proxy = ServerRunner.createServerFromCommandLineArgs(arguments);
    var field = proxy.getClass().getDeclaredField("server");
    field.setAccessible(true);
    var connector = (ServerConnector) ((Server) field.get(proxy)).getConnectors()[0];
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    proxy.start();
    System.out.println("listening " + connector.getLocalPort());
    System.in.transferTo(OutputStream.nullOutputStream());
    // Every answer was on the disk before it was sent; an orderly end would only take longer.
    try {
      removeTemporaryFiles();
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  private static void removeTemporaryFiles() {
    var folder = new File(System.getProperty("java.io.tmpdir"));
    for (var file : folder.listFiles()) file.delete();
    folder.delete();
  }
}
